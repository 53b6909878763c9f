import DeferredLoading
import Foundation
import Laboratory
import LullTesting
import ScrollModel
import Testing

/// The traces that the project ships, with the list they were recorded in.
enum Shipped {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Demo/traces").path

    private struct Index: Decodable {
        struct Entry: Decodable {
            let viewport: [Double]
            let hz: Int
        }
        let traces: [String: Entry]
    }

    private static let index: Index = {
        let data = FileManager.default.contents(atPath: folder + "/index.json") ?? Data()
        guard let index = try? JSONDecoder().decode(Index.self, from: data) else {
            fatalError("the shipped index is readable")
        }
        return index
    }()

    static let heights: RowHeights = {
        let text = (try? String(contentsOfFile: folder + "/row-heights.txt", encoding: .utf8)) ?? ""
        guard let heights = try? RowHeights(text.split(separator: "\n").compactMap { Double($0) })
        else { fatalError("the shipped heights are readable") }
        return heights
    }()

    static let names: [String] = index.traces.keys.sorted()

    /// Each trace, read once: tests replay them hundreds of times.
    private static let traces: [String: Result<Trace, any Error>] = Dictionary(
        uniqueKeysWithValues: names.map { name in
            (name, Result { try Trace(contentsOf: "\(folder)/\(name).jsonl") })
        })

    static func trace(_ name: String) throws -> Trace {
        try #require(traces[name]).get()
    }

    static func list(_ name: String) -> Viewport {
        Viewport(rows: heights, height: index.traces[name]?.viewport[1] ?? 800)
    }

    static func hz(_ name: String) -> Int { index.traces[name]?.hz ?? 60 }

    /// A rule by its name.
    static func rule(_ name: String) throws -> NamedPolicy {
        try #require(NamedPolicy.named(name))
    }

    /// A policy by its rule's name, for a shipped trace.
    static func policy(
        _ name: String, for trace: String = "chromium-fling-down-5000",
        options: ReplayOptions = .init()
    ) throws -> any LoadingPolicy {
        try rule(name).make(
            for: .init(trace: self.trace(trace), list: list(trace), options: options))
    }
}

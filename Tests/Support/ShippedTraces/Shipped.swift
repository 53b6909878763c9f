internal import Foundation
public import LullTesting
public import ScrollModel

/// The traces that the project ships, with the list they were recorded in.
public enum Shipped {
    /// The folder of the traces.
    public static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
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

    /// The heights of the list's rows.
    public static let heights: RowHeights = {
        guard let heights = try? RowHeights(contentsOf: folder + "/row-heights.txt") else {
            fatalError("the shipped heights are readable")
        }
        return heights
    }()

    /// The names of all traces, in order.
    public static let names: [String] = index.traces.keys.sorted()

    /// Each trace, read once: tests replay them hundreds of times.
    private static let traces: [String: Result<Trace, any Error>] = Dictionary(
        uniqueKeysWithValues: names.map { name in
            (name, Result { try Trace(contentsOf: "\(folder)/\(name).jsonl") })
        })

    /// Returns the trace of a name.
    public static func trace(_ name: String) throws -> Trace {
        guard let trace = traces[name] else { throw CocoaError(.fileNoSuchFile) }
        return try trace.get()
    }

    /// Returns the list in which a trace was recorded.
    public static func list(_ name: String) -> Viewport {
        Viewport(rows: heights, height: index.traces[name]?.viewport[1] ?? 800)
    }

    /// Returns the frames a second with which a trace was recorded.
    public static func hz(_ name: String) -> Int { index.traces[name]?.hz ?? 60 }
}

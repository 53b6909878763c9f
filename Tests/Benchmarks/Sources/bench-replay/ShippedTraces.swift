import Foundation
import LullTesting
import ScrollModel

/// The traces in `Demo/traces`, each in the list in which it was recorded.
struct ShippedTraces {
    let all: [(trace: Trace, list: Viewport)]

    private struct Index: Decodable {
        struct Entry: Decodable { let viewport: [Double] }
        let traces: [String: Entry]
    }

    init() throws {
        // The benchmarks are run in their own folder, see `run`.
        let folder = "../../Demo/traces"
        let index = try JSONDecoder().decode(
            Index.self, from: Data(contentsOf: URL(filePath: folder + "/index.json")))
        let rows = try RowHeights(contentsOf: folder + "/row-heights.txt")
        all = try index.traces.sorted { $0.key < $1.key }.map { name, entry in
            let trace = try Trace(contentsOf: "\(folder)/\(name).jsonl")
            return (trace, Viewport(rows: rows, height: entry.viewport.last ?? 800))
        }
    }
}

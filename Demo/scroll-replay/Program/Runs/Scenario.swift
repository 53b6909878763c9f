import ArgumentParser
import Foundation
import LullTesting
import ScrollModel

/// A trace and the list in which it is played.
struct Scenario: Sendable {
    let trace: Trace
    let list: Viewport
    let hz: Int
    /// The facts that were taken from files beside the trace.
    let asRecorded: [String]

    /// Reads a trace, and the facts that no option gives from the files beside it.
    init(_ file: String, _ arguments: ReplayArguments) throws {
        trace = try TraceFile.read(file)
        let beside = SidecarFacts(of: trace.name, besides: file)

        var used: [String] = []
        hz = arguments.hz ?? beside.hz ?? trace.hz ?? 60
        if arguments.hz == nil, let hz = beside.hz { used.append("\(hz) Hz") }
        let height = arguments.list.viewport ?? beside.viewport ?? trace.viewportHeight ?? 800
        if arguments.list.viewport == nil, let viewport = beside.viewport {
            used.append("viewport \(Int(viewport)) px")
        }
        let rows: RowHeights
        if let file = arguments.list.rowHeights {
            rows = try RowHeights(contentsOf: file)
        } else if arguments.rowHeight != nil || arguments.rows != nil {
            rows = try equalRows(arguments)
        } else if let file = beside.rowHeights {
            rows = try RowHeights(contentsOf: file)
            let count = Viewport(rows: rows, height: height).list.rowCount
            used.append("\(count) rows of row-heights.txt")
        } else {
            rows = try equalRows(arguments)
        }
        list = Viewport(
            try grid(of: rows, arguments.columns), height: height, offset: arguments.start)
        guard list.visibleRows.count <= 10_000 else {
            throw ValidationError("a viewport shows 10000 rows at most")
        }
        asRecorded = used
    }
}

/// Returns rows of equal height.
private func equalRows(_ arguments: ReplayArguments) throws -> RowHeights {
    do {
        return try RowHeights(count: arguments.rows ?? 5000, height: arguments.rowHeight ?? 80)
    } catch {
        throw ValidationError("--rows times --row-height is more than a list can hold")
    }
}

/// Returns a list with several rows of the same height in place of each.
private func grid(of rows: RowHeights, _ columns: Int) throws -> ListLayout {
    let rows = Viewport(rows: rows, height: 0).list
    guard columns > 1 else { return rows }
    let heights = (0..<rows.rowCount).lazy.flatMap {
        repeatElement(rows.extent(ofRowAt: $0).height, count: columns)
    }
    do {
        let cells = SectionHeights(rows: try RowHeights(heights))
        return try ListLayout([cells], flow: LineFlow(.columns(columns), width: 1000))
    } catch {
        throw ValidationError("--columns times as many rows are more than a list can hold")
    }
}

/// The facts from files beside a trace.
struct SidecarFacts {
    private struct Index: Decodable {
        struct Entry: Decodable {
            let viewport: [Double]?
            let hz: Int?
        }
        let traces: [String: Entry]
    }

    var viewport: Double?
    var hz: Int?
    var rowHeights: String?

    init(of name: String, besides file: String) {
        let parent = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
        let folder = parent.isEmpty ? "/" : parent
        let heights = folder + "/row-heights.txt"
        if FileManager.default.fileExists(atPath: heights) { rowHeights = heights }
        let path = folder + "/index.json"
        guard FileManager.default.fileExists(atPath: path) else { return }
        guard let data = FileManager.default.contents(atPath: path),
            let index = try? JSONDecoder().decode(Index.self, from: data)
        else {
            say("\(path): not an index of traces; not used")
            return
        }
        guard let entry = index.traces[name] else { return }
        if let height = entry.viewport?.last, (1...1e6).contains(height) { viewport = height }
        if let rate = entry.hz, (1...1000).contains(rate) { hz = rate }
    }
}

import Foundation
import Testing

/// Reads what a page's script draws from, as the script does.
struct PageReader {
    let html: String
    let data: [String: Any]

    init(_ html: String) throws {
        self.html = html
        let open = try #require(html.range(of: "<script type=\"application/json\" id=\"data\">"))
        let close = try #require(
            html.range(of: "</script>", range: open.upperBound..<html.endIndex))
        let text = Data(html[open.upperBound..<close.lowerBound].utf8)
        data = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    }

    var traces: [[String: Any]] { data["traces"] as? [[String: Any]] ?? [] }
    var texts: [String] { data["texts"] as? [String] ?? [] }
    var kinds: [String] { data["kinds"] as? [String] ?? [] }

    func runs(ofTrace index: Int) -> [[String: Any]] {
        traces[index]["runs"] as? [[String: Any]] ?? []
    }

    /// A line of a row's story: its time in µs and its texts.
    struct Line: Equatable {
        let kind: String
        let time: Int
        let facts: String
        let reason: String
    }

    /// The stories of a run, by row.
    func stories(of run: [String: Any]) -> [Int: [Line]] {
        var numbers = Self.numbers(run["stories"])[...]
        var stories: [Int: [Line]] = [:]
        var row = 0
        while let step = numbers.popFirst() {
            row += step
            var time = 0
            stories[row] = (0..<(numbers.popFirst() ?? 0)).map { _ in
                let code = numbers.removeFirst()
                time += numbers.removeFirst()
                let facts = code & 2 == 0 ? "" : texts[numbers.removeFirst()]
                let reason = code & 1 == 0 ? "" : texts[numbers.removeFirst()]
                return Line(kind: kinds[code >> 2], time: time, facts: facts, reason: reason)
            }
        }
        return stories
    }

    /// The numbers of a packed text, as in source maps.
    static func numbers(_ text: Any?) -> [Int] {
        let digits = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var values: [Int] = []
        var value: UInt64 = 0
        var shift: UInt64 = 0
        for byte in (text as? String ?? "").utf8 {
            guard let digit = digits.firstIndex(of: byte) else { return [] }
            value |= UInt64(digit & 31) << shift
            shift += 5
            if digit & 32 == 0 {
                let magnitude = Int(value >> 1)
                values.append(value & 1 == 1 ? -magnitude : magnitude)
                (value, shift) = (0, 0)
            }
        }
        return values
    }

    /// The numbers in groups of so many.
    static func groups(_ text: Any?, of count: Int) -> [[Int]] {
        let all = numbers(text)
        return stride(from: 0, to: all.count, by: count).map {
            Array(all[$0..<min($0 + count, all.count)])
        }
    }
}

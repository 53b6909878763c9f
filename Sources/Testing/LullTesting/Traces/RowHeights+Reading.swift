public import ScrollModel

extension RowHeights {
    /// Reads row heights in px from a file, one a line; empty lines and those that begin with `#`
    /// are ignored.
    ///
    /// Throws if a line is neither, with the file, the line and what was found. O(n).
    public init(contentsOf file: String) throws(TraceError) {
        let expected = "a height in px from 0 to 1000000 on each line"
        func wrong(_ found: String, line: Int) -> TraceError {
            TraceError(kind: .malformed, file: file, line: line, found: found, expected: expected)
        }
        var reader = try FileLines(of: file, expected: expected)
        var heights: [Double] = []
        while let line = try reader.next() {
            let text = line.drop { $0 <= 0x20 }
            guard let first = text.first, first != UInt8(ascii: "#") else { continue }
            let digits = text.prefix { $0 > 0x20 }
            guard let height = Double(String(decoding: digits, as: UTF8.self)),
                (0...1e6).contains(height), text.dropFirst(digits.count).allSatisfy({ $0 <= 0x20 })
            else { throw wrong(quoted(line), line: reader.number) }
            heights.append(height)
        }
        guard !heights.isEmpty else { throw wrong("nothing", line: 1) }
        do {
            try self.init(heights)
        } catch {
            throw wrong("more rows than a list can hold", line: reader.number)
        }
    }
}

/// An incremental parser of HTTP/1.1 answers that have a length.
struct HTTPReader {
    /// An answer of the server.
    struct Answer {
        let status: Int
        let body: [UInt8]
        /// Whether the server closes the connection after it.
        let isLast: Bool
    }

    /// The error that an answer is invalid, or has no length.
    struct Malformed: Error {}

    private var bytes: [UInt8] = []
    private var head: (status: Int, length: Int, isLast: Bool)?

    /// Appends received bytes.
    mutating func take(_ more: some Sequence<UInt8>) {
        bytes += more
    }

    /// Returns the next complete answer; nil if there is none.
    mutating func next() throws(Malformed) -> Answer? {
        if head == nil {
            guard let end = endOfHead else { return nil }
            head = try Self.head(bytes[..<end])
            bytes.removeFirst(end + 4)
        }
        guard let head, bytes.count >= head.length else { return nil }
        self.head = nil
        let body = Array(bytes.prefix(head.length))
        bytes.removeFirst(head.length)
        return Answer(status: head.status, body: body, isLast: head.isLast)
    }

    /// The position of the empty line after the head; nil if it hasn't been received yet.
    private var endOfHead: Int? {
        var next = 0
        while let place = bytes[next...].firstIndex(of: 13) {
            if bytes[place...].starts(with: [13, 10, 13, 10]) { return place }
            next = place + 1
        }
        return nil
    }

    // Parsed as bytes, as there are thousands a second.
    private static func head(
        _ bytes: ArraySlice<UInt8>
    ) throws(Malformed) -> (status: Int, length: Int, isLast: Bool) {
        let lines = bytes.split(separator: 10)
        guard let first = lines.first, let blank = first.firstIndex(of: 32),
            let status = number(first[(blank + 1)...])
        else { throw Malformed() }
        var length = status == 204 ? 0 : nil as Int?
        var isLast = false
        for line in lines.dropFirst() {
            if let value = value(of: "content-length:", in: line) {
                length = number(value)
            } else if let value = self.value(of: "connection:", in: line) {
                isLast = value.starts(with: "close".utf8) { $0 | 0x20 == $1 }
            }
        }
        guard let length else { throw Malformed() }
        return (status, length, isLast)
    }

    /// Returns the value of a header, named in lower case, in a line; nil if the line has another
    /// header.
    private static func value(
        of name: StaticString, in line: ArraySlice<UInt8>
    ) -> ArraySlice<UInt8>? {
        let isIts = name.withUTF8Buffer { name in
            unsafe line.count >= name.count && zip(line, name).allSatisfy { $0 | 0x20 == $1 | 0x20 }
        }
        return isIts ? line.dropFirst(name.utf8CodeUnitCount).drop { $0 == 32 } : nil
    }

    /// Returns the number that begins here; nil if there is none.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        let digits = bytes.prefix { (48...57).contains($0) }
        guard (1...9).contains(digits.count) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    }
}

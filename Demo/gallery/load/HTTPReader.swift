/// Takes answers of HTTP/1.1 apart as their bytes come: one after the other, each with its length.
struct HTTPReader {
    /// What a server has answered.
    struct Answer {
        let status: Int
        let body: [UInt8]
        /// Whether the server closes the connection after it.
        let isLast: Bool
    }

    /// An answer that isn't one, or has no length.
    struct Malformed: Error {}

    private var bytes: [UInt8] = []
    private var head: (status: Int, length: Int, isLast: Bool)?

    /// Takes in what has come.
    mutating func take(_ more: some Sequence<UInt8>) {
        bytes += more
    }

    /// The next answer that's there whole; nil if there is none.
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

    /// Where the empty line after the head begins; nil if it isn't there yet.
    private var endOfHead: Int? {
        var next = 0
        while let place = bytes[next...].firstIndex(of: 13) {
            if bytes[place...].starts(with: [13, 10, 13, 10]) { return place }
            next = place + 1
        }
        return nil
    }

    private static func head(
        _ bytes: ArraySlice<UInt8>
    ) throws(Malformed) -> (status: Int, length: Int, isLast: Bool) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { throw Malformed() }
        var length = status == 204 ? 0 : nil as Int?
        var isLast = false
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { throw Malformed() }
            let value = parts[1].drop { $0 == " " }
            switch parts[0].lowercased() {
            case "content-length": length = Int(value)
            case "connection": isLast = value.lowercased() == "close"
            default: break
            }
        }
        guard let length else { throw Malformed() }
        return (status, length, isLast)
    }
}

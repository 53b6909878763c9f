/// The head of a response: its status, and the header fields that are used here.
///
/// With redirects there are several heads: each begins with a status line and ends with an empty
/// line.
struct ResponseHead: Equatable {
    /// The maximum size of all heads of a response together, in bytes.
    static let limit = 64 << 10

    /// The fields that are parsed, and whether several lines of a name form a list.
    private static let names = [
        "age": false, "cache-control": true, "content-length": false, "content-type": false,
        "date": false, "etag": false, "expires": false, "last-modified": false, "location": false,
        "transfer-encoding": true, "vary": true,
    ]

    private(set) var status = 0
    /// The fields by their lowercase names.
    private(set) var fields: [String: String] = [:]
    /// Whether the empty line at the end has arrived.
    private(set) var isWhole = false
    /// Whether this head followed a redirect.
    private(set) var isRedirected = false
    /// Whether the protocol itself marks the end of a body.
    private var isFramed = false
    private var bytes = 0

    var isRedirect: Bool { (300..<400).contains(status) && location != nil }
    var isSuccess: Bool { (200..<300).contains(status) }
    var isTooLarge: Bool { bytes > ResponseHead.limit }

    var length: Int? { fields["content-length"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }
    var contentType: String? { fields["content-type"] }
    var location: String? { fields["location"] }
    /// The validators; nil if the server sent none.
    var version: HTTPLoadResponse.Version? {
        let (etag, date) = (fields["etag"], fields["last-modified"])
        return etag ?? date == nil ? nil : .init(etag: etag, lastModified: date)
    }

    /// Whether a truncated body would be detected.
    var hasDelimitedBody: Bool {
        isFramed || length != nil
            || fields["transfer-encoding"]?.lowercased().hasSuffix("chunked") == true
    }

    init() {}

    /// Parses the lines of a head.
    init(lines: some Sequence<Substring>) {
        for line in lines { add(String(line)) }
    }

    /// Parses a line, with or without its line end.
    mutating func add(_ line: String) {
        let text = line.prefix { !$0.isNewline }
        if text.hasPrefix("HTTP/") {
            let (bytes, isRedirected) = (bytes, isRedirected || isRedirect)
            self = ResponseHead()
            (self.bytes, self.isRedirected) = (bytes, isRedirected)
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            isFramed = !text.hasPrefix("HTTP/1")
        }
        bytes += line.utf8.count
        guard !isWhole else { return }  // trailers after the body are ignored
        if text.isEmpty { isWhole = true }
        guard let colon = text.firstIndex(of: ":") else { return }
        let name = text[..<colon].lowercased()
        guard let isList = Self.names[name] else { return }
        let value = String(trimmed(text[text.index(after: colon)...]))
        // Appended in place: a copy for each line would let a server block the loop.
        if !isList || fields[name]?.append(", \(value)") == nil { fields[name] = value }
    }

    /// The lines from which an equal head can be parsed.
    var lines: [String] {
        ["HTTP/\(isFramed ? 2 : 1) \(status)"]
            + fields.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
    }

    /// Updates the fields from a response of status 304.
    mutating func refresh(with head: ResponseHead) {
        let ofBody: Set = ["content-length", "content-type", "transfer-encoding"]
        for name in ["age", "date"] { fields[name] = nil }  // these belong to the older response
        for (name, value) in head.fields where !ofBody.contains(name) { fields[name] = value }
    }

    private func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

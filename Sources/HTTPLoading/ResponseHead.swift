/// The head of a response: its status, and those of its fields that matter here.
///
/// With redirects there are several heads: each begins with a status line and ends in an empty one.
struct ResponseHead: Equatable {
    /// The most bytes that all heads of a response may have.
    static let limit = 64 << 10

    /// The fields that are read, and whether lines of one name are a list.
    private static let names = [
        "age": false, "cache-control": true, "content-length": false, "content-type": false,
        "date": false, "etag": false, "expires": false, "last-modified": false, "location": false,
        "transfer-encoding": true, "vary": true,
    ]

    private(set) var status = 0
    /// The fields by their names in small letters.
    private(set) var fields: [String: String] = [:]
    /// Whether its empty line has come.
    private(set) var isWhole = false
    /// Whether a redirect led here.
    private(set) var isRedirected = false
    /// Whether the protocol itself says where a body ends.
    private var isFramed = false
    private var bytes = 0

    var isRedirect: Bool { (300..<400).contains(status) && location != nil }
    var isSuccess: Bool { (200..<300).contains(status) }
    var isTooLarge: Bool { bytes > ResponseHead.limit }

    var length: Int? { fields["content-length"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }
    var contentType: String? { fields["content-type"] }
    var location: String? { fields["location"] }
    /// Nil if the server doesn't tell one state of the resource from another.
    var version: HTTPLoadResponse.Version? {
        let (etag, date) = (fields["etag"], fields["last-modified"])
        return etag ?? date == nil ? nil : .init(etag: etag, lastModified: date)
    }

    /// Whether a body that was cut would be noticed.
    var hasDelimitedBody: Bool {
        isFramed || length != nil
            || fields["transfer-encoding"]?.lowercased().hasSuffix("chunked") == true
    }

    init() {}

    /// A head of these lines.
    init(lines: some Sequence<Substring>) {
        for line in lines { add(String(line)) }
    }

    /// Takes in a line, with or without its end.
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
        guard !isWhole else { return }  // what follows the body changes nothing
        if text.isEmpty { isWhole = true }
        guard let colon = text.firstIndex(of: ":") else { return }
        let name = text[..<colon].lowercased()
        guard let isList = Self.names[name] else { return }
        let value = String(trimmed(text[text.index(after: colon)...]))
        // In its place: a copy for each line would be a server's way to hold up the loop.
        if !isList || fields[name]?.append(", \(value)") == nil { fields[name] = value }
    }

    /// The lines from which a head like this is made.
    var lines: [String] {
        ["HTTP/\(isFramed ? 2 : 1) \(status)"]
            + fields.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
    }

    /// Takes over what a response of status 304 says anew.
    mutating func refresh(with head: ResponseHead) {
        let ofBody: Set = ["content-length", "content-type", "transfer-encoding"]
        for name in ["age", "date"] { fields[name] = nil }  // they were those of the older response
        for (name, value) in head.fields where !ofBody.contains(name) { fields[name] = value }
    }

    private func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

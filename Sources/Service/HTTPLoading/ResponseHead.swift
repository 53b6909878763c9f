/// The head of a response: its status, and the header fields that are used here.
///
/// With redirects there are several heads: each begins with a status line and ends with an empty
/// line.
struct ResponseHead: Equatable {
    /// The maximum size of all heads of a response together, in bytes.
    static let limit = 64 << 10

    /// The fields that are parsed, and whether several lines of a name form a list.
    private static let names = [
        "age": false, "cache-control": true, "content-encoding": true, "content-length": true,
        "content-range": false, "content-type": false, "date": false, "etag": false,
        "expires": false, "last-modified": false, "location": false, "transfer-encoding": true,
        "vary": true,
    ]
    /// The fields that say how the body is sent.
    private static let framing = ["content-encoding", "content-length", "transfer-encoding"]
    /// The maximum number of codings of a body; a few bytes may become very many between two.
    private static let codingLimit = 2

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
    /// The elements of the fields that say how the body is sent, without those that change nothing.
    private var elements: [String: [String]] = [:]

    var isRedirect: Bool { (300..<400).contains(status) && location != nil }
    var isTooLarge: Bool { bytes > ResponseHead.limit }

    /// Whether there is a body.
    var hasBody: Bool { status != 204 && status != 304 }
    /// The length of the body; nil if it's unknown until its end.
    var length: Int? { hasBody && elements["content-encoding"] != nil ? nil : sentLength }
    /// The length of the body as it's sent, with its content codings.
    var sentLength: Int? {
        guard hasBody else { return 0 }
        guard elements["transfer-encoding"] == nil else { return nil }
        return elements["content-length"]?.first.flatMap(Self.number)
    }
    /// Whether the server has announced no length, or one.
    var isLengthClear: Bool {
        guard fields["content-length"] != nil else { return true }
        let lengths = Set((elements["content-length"] ?? []).map(Self.number))
        return lengths.count == 1 && lengths != [nil]
    }
    var contentLength: String? { fields["content-length"] }
    /// The part of the resource that the body is; nil if it's the whole.
    var contentRange: String? { status == 206 ? fields["content-range"] : nil }
    var contentType: String? { fields["content-type"] }
    var location: String? { fields["location"] }
    /// The validators; nil if the server sent none.
    var version: HTTPLoadResponse.Version? {
        let (etag, date) = (fields["etag"], fields["last-modified"])
        return etag ?? date == nil ? nil : .init(etag: etag, lastModified: date)
    }

    /// Whether a truncated body would be detected.
    var hasDelimitedBody: Bool {
        isFramed || sentLength != nil || elements["transfer-encoding"]?.last == "chunked"
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
        guard Self.framing.contains(name) else { return }
        let more = value.lowercased().split(separator: ",").map { String(trimmed($0)) }
        let effective = more.filter { !["", "identity", "none"].contains($0) }
        if !effective.isEmpty { elements[name, default: []] += effective }
    }

    /// Returns the field with a coding that can't be undone; nil if all of them can.
    ///
    /// No transfer coding is asked for, so chunks are the only one.
    func undecodable(_ decodes: (String) -> Bool) -> String? {
        if let codings = elements["transfer-encoding"], codings != ["chunked"] {
            return fields["transfer-encoding"]
        }
        let codings = elements["content-encoding"] ?? []
        let isDecoded = codings.count <= Self.codingLimit && codings.allSatisfy(decodes)
        return isDecoded ? nil : fields["content-encoding"]
    }

    /// Returns the head of the same response for its decoded body.
    func decoded(length: Int) -> ResponseHead {
        var head = self
        for name in Self.framing { (head.fields[name], head.elements[name]) = (nil, nil) }
        head.fields["content-length"] = "\(length)"
        head.elements["content-length"] = ["\(length)"]
        return head
    }

    /// The lines from which an equal head can be parsed.
    var lines: [String] {
        ["HTTP/\(isFramed ? 2 : 1) \(status)"]
            + fields.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
    }

    /// Updates the fields from a response of status 304.
    mutating func refresh(with head: ResponseHead) {
        let ofBody = Self.framing + ["content-range", "content-type"]
        for name in ["age", "date"] { fields[name] = nil }  // these belong to the older response
        for (name, value) in head.fields where !ofBody.contains(name) { fields[name] = value }
    }

    /// Returns the number of a length, at most that of all memory; nil if it isn't one.
    private static func number(_ text: String) -> Int? {
        guard text.utf8.count < 20 else { return .max }
        return text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) ?? .max : nil
    }

    private func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

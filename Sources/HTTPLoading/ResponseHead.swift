/// What the lines of an answer's head say, as far as anybody asks.
///
/// With redirects there are several heads: each begins with a status line and ends in an empty one.
struct ResponseHead {
    /// So many bytes all heads of an answer may have.
    static let limit = 256 << 10

    private(set) var status = 0
    private(set) var length: Int?
    private(set) var contentType: String?
    private(set) var version = HTTPLoadResponse.Version()
    private(set) var location: String?
    /// Whether its empty line has come.
    private(set) var isWhole = false
    private var bytes = 0

    var isRedirect: Bool { (300..<400).contains(status) && location != nil }
    var isSuccess: Bool { (200..<300).contains(status) }
    var isTooLarge: Bool { bytes > ResponseHead.limit }

    /// Takes in a line, with its end.
    mutating func add(_ line: String) {
        bytes += line.utf8.count
        let text = line.prefix { !$0.isNewline }
        if text.hasPrefix("HTTP/") {
            self = ResponseHead(bytes: bytes)
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return
        }
        guard !isWhole else { return }  // what follows the body changes nothing
        if text.isEmpty { isWhole = true }
        guard let colon = text.firstIndex(of: ":") else { return }
        let value = String(trimmed(text[text.index(after: colon)...]))
        switch text[..<colon].lowercased() {
        case "content-length": length = Int(value).flatMap { $0 >= 0 ? $0 : nil }
        case "content-type": contentType = value
        case "etag": version.etag = value
        case "last-modified": version.lastModified = value
        case "location": location = value
        default: break
        }
    }

    init() {}

    private init(bytes: Int) {
        self.bytes = bytes
    }

    private func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

/// An entry of a request log.
///
/// All that a client sends is escaped and limited, so that it can't imitate another entry.
public struct RequestLogEntry: Sendable {
    /// The client's address.
    public var address: String
    /// The first line of the request; nil if it couldn't be read.
    public var line: [UInt8]?
    /// The status of the reply.
    public var status: Int
    /// The length of the reply's body; nil for a stream.
    public var byteCount: Int?
    /// The header `Referer`.
    public var referrer: [UInt8]?
    /// The header `User-Agent`.
    public var userAgent: [UInt8]?

    /// Creates an entry.
    public init(
        address: String, line: [UInt8]?, status: Int, byteCount: Int? = nil,
        referrer: [UInt8]? = nil, userAgent: [UInt8]? = nil
    ) {
        self.address = address
        self.line = line
        self.status = status
        self.byteCount = byteCount
        self.referrer = referrer
        self.userAgent = userAgent
    }

    /// Returns the entry as a line, of fewer bytes than ``LogLine/limit``.
    func text(at time: LogTime) -> [UInt8] {
        let length = byteCount.map(String.init) ?? "-"
        return Array("\(address) - - [\(time.commonText)] ".utf8) + Self.quoted(line, 2048)
            + Array(" \(status) \(length) ".utf8) + Self.quoted(referrer, 768) + [UInt8(ascii: " ")]
            + Self.quoted(userAgent, 768) + [UInt8(ascii: "\n")]
    }

    /// Returns text in quotes, cut where it is too long, but within no character or escape.
    private static func quoted(_ text: [UInt8]?, _ limit: Int) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        guard let text else { return [quote, UInt8(ascii: "-"), quote] }
        let whole = EscapedText(text).quotable
        var kept = whole.prefix(limit)
        if kept.count < whole.count {
            while let last = kept.last, last == UInt8(ascii: "\\") || last >= 0x80 {
                kept.removeLast()
            }
        }
        return [quote] + kept + [quote]
    }
}

/// The kind of a file by what it starts with, for names say nothing.
enum Signature: Equatable {
    case jpeg
    case png
    case webp
    case gif
    /// The file ends within what may be the signature of a known kind.
    case incomplete
    /// The name of another kind, or the first bytes of an unknown one.
    case other(String)

    /// How many bytes of a file are looked at.
    static let length = 16

    private static let known: [(pattern: [UInt8?], kind: Signature)] = [
        ([0xFF, 0xD8, 0xFF], .jpeg),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
        (pattern("GIF87a"), .gif),
        (pattern("GIF89a"), .gif),
        // Between the two names stands a length.
        (pattern("RIFF") + [nil, nil, nil, nil] + pattern("WEBP"), .webp),
    ]

    init(_ head: [UInt8]) {
        let candidates = Self.known.filter { pattern, _ in
            zip(pattern, head).allSatisfy { $0 == nil || $0 == $1 }
        }
        guard let candidate = candidates.first else {
            self = .other(Self.name(of: head))
            return
        }
        self = head.count < candidate.pattern.count ? .incomplete : candidate.kind
    }

    private static func pattern(_ text: String) -> [UInt8?] { Array(text.utf8) }

    private static func name(of head: [UInt8]) -> String {
        // Bytes that are no ASCII become dots, so that offsets stay.
        let visible = head.map { (0x20..<0x7F).contains($0) ? $0 : 0x2E }
        let text = String(decoding: visible, as: UTF8.self)
        if text.hasPrefix("BM") { return "BMP" }
        if text.hasPrefix("II*") || text.hasPrefix("MM.*") { return "TIFF" }
        if text.dropFirst(4).hasPrefix("ftyp") {
            return "ISO media (\(text.dropFirst(8).prefix(4)))"
        }
        let letters = text.prefix { $0 != "." }
        if letters.count >= 4 { return "starts with \"\(letters)\"" }
        let hex = head.prefix(8).map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }
        return "starts with " + hex.joined(separator: " ")
    }
}

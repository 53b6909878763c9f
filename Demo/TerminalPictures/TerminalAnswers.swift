/// A parser that separates a terminal's responses from key input, a few bytes at a time.
///
/// ```swift
/// terminal.write(TerminalAnswers.query)
/// …
/// let (answers, keys) = parser.take(bytes)
/// ```
///
/// The query asks for kitty's graphics protocol and then for the device attributes, which every
/// terminal reports. If the second response arrives without the first, the protocol isn't
/// supported. Show something before that: responses may arrive late, or never. The bytes kept
/// between calls are limited.
public struct TerminalAnswers: Sendable {
    /// A response of a terminal.
    public enum Answer: Equatable, Sendable {
        /// The response to a command of kitty's graphics protocol: `OK`, or an error message.
        case kitty(id: UInt32, message: String)
        /// The device attributes, as numbers: 4 is Sixel.
        case attributes([Int])
    }

    private enum State {
        case keys, escape, control, graphicsStart, graphics, graphicsEscape
    }

    /// The ID of the picture in the query, which isn't stored.
    public static let queryID: UInt32 = 31

    /// The query for kitty's graphics protocol and for the device attributes.
    public static var query: [UInt8] {
        Array("\u{1B}_Gi=\(queryID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c".utf8)
    }

    private static let longestControl = 64
    private static let longestGraphics = 1024

    private var state = State.keys
    private var held: [UInt8] = []

    /// Creates a parser that has received nothing.
    public init() {}

    /// Parses received bytes, and returns the responses and the keys in them, each in order.
    ///
    /// - Parameter bytes: The bytes that the terminal sent.
    /// - Returns: The complete responses, and all bytes that belong to none.
    public mutating func take(_ bytes: [UInt8]) -> (answers: [Answer], keys: [UInt8]) {
        var answers: [Answer] = []
        var keys: [UInt8] = []
        for byte in bytes { take(byte, &answers, &keys) }
        return (answers, keys)
    }

    /// Stops waiting for the rest of what may be a response.
    ///
    /// - Returns: The held bytes, as keys; an escape key by itself, for example.
    public mutating func flush() -> [UInt8] {
        defer { forget() }
        switch state {
        case .keys, .escape, .control, .graphicsStart: return held
        case .graphics, .graphicsEscape: return []
        }
    }

    private mutating func take(_ byte: UInt8, _ answers: inout [Answer], _ keys: inout [UInt8]) {
        switch (state, byte) {
        case (.keys, 0x1B), (.graphicsEscape, 0x1B):
            begin()
        case (.keys, _):
            keys.append(byte)
        case (.escape, 0x1B), (.control, 0x1B), (.graphicsStart, 0x1B):
            keys += held
            begin()
        case (.escape, 0x5B):
            hold(byte, .control)
        case (.escape, 0x5F):
            hold(byte, .graphicsStart)
        case (.graphicsStart, 0x47):
            hold(byte, .graphics)
        case (.control, 0x20...0x3F) where held.count < Self.longestControl:
            hold(byte, .control)
        case (.control, 0x63) where held.starts(with: [0x1B, 0x5B, 0x3F]):
            answers.append(.attributes(Self.numbers(in: held.dropFirst(3))))
            forget()
        case (.escape, _), (.control, _), (.graphicsStart, _):
            keys += held + [byte]
            forget()
        case (.graphics, 0x1B):
            state = .graphicsEscape
        case (.graphics, 0x20...0x7E) where held.count < Self.longestGraphics:
            hold(byte, .graphics)
        case (.graphicsEscape, 0x5C):
            if let answer = Self.graphicsAnswer(held.dropFirst(3)) { answers.append(answer) }
            forget()
        case (.graphics, _):
            // Too long, or not text: neither a response of any terminal nor a key.
            forget()
        case (.graphicsEscape, _):
            begin()
            take(byte, &answers, &keys)
        }
    }

    private mutating func begin() {
        state = .escape
        held = [0x1B]
    }

    private mutating func hold(_ byte: UInt8, _ next: State) {
        held.append(byte)
        state = next
    }

    private mutating func forget() {
        state = .keys
        held.removeAll(keepingCapacity: true)
    }

    private static func numbers(in bytes: ArraySlice<UInt8>) -> [Int] {
        bytes.split(separator: 0x3B).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    }

    /// Parses the ID and the message in `i=31,p=2;OK`.
    private static func graphicsAnswer(_ bytes: ArraySlice<UInt8>) -> Answer? {
        guard let end = bytes.firstIndex(of: 0x3B) else { return nil }
        for key in bytes[..<end].split(separator: 0x2C) where key.starts(with: [0x69, 0x3D]) {
            guard let id = UInt32(String(decoding: key.dropFirst(2), as: UTF8.self)) else { break }
            return .kitty(id: id, message: String(decoding: bytes[(end + 1)...], as: UTF8.self))
        }
        return nil
    }
}

/// Tells a terminal's answers from the keys that come between them, a few bytes at a time.
///
/// ```swift
/// terminal.write(TerminalAnswers.query)
/// …
/// let (answers, keys) = parser.take(bytes)
/// ```
///
/// The query asks for kitty's graphics and then for what every terminal tells of itself. Who gets
/// the second answer without the first knows that there will be none. Show something before that:
/// answers may come late, or never. What is kept between calls has a bound.
public struct TerminalAnswers: Sendable {
    /// What a terminal says.
    public enum Answer: Equatable, Sendable {
        /// Of a command of kitty's graphics: `OK`, or what is wrong with it.
        case kitty(id: UInt32, message: String)
        /// What it can do, as numbers: 4 is Sixel.
        case attributes([Int])
    }

    private enum State {
        case keys, escape, control, graphicsStart, graphics, graphicsEscape
    }

    /// The picture that the query speaks of; nothing is kept of it.
    public static let queryID: UInt32 = 31

    /// Asks whether the terminal knows kitty's graphics, and for its attributes.
    public static var query: [UInt8] {
        Array("\u{1B}_Gi=\(queryID),s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c".utf8)
    }

    private static let longestControl = 64
    private static let longestGraphics = 1024

    private var state = State.keys
    private var held: [UInt8] = []

    /// A parser to which nothing has come yet.
    public init() {}

    /// Whether something is held that may be the beginning of an answer.
    public var isHolding: Bool { !held.isEmpty }

    /// Takes what has come, and tells the answers from the keys in it, both in their order.
    ///
    /// - Parameter bytes: What the terminal sent.
    /// - Returns: Answers that are complete, and all bytes that belong to none.
    public mutating func take(_ bytes: [UInt8]) -> (answers: [Answer], keys: [UInt8]) {
        var answers: [Answer] = []
        var keys: [UInt8] = []
        for byte in bytes { take(byte, &answers, &keys) }
        return (answers, keys)
    }

    /// Gives up waiting for the rest of what may have been an answer.
    ///
    /// - Returns: What is held, as keys: an escape key by itself, say.
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
            // Too long, or no text: not an answer of any terminal, and no key either.
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

    /// The number and the words in `i=31,p=2;OK`.
    private static func graphicsAnswer(_ bytes: ArraySlice<UInt8>) -> Answer? {
        guard let end = bytes.firstIndex(of: 0x3B) else { return nil }
        for key in bytes[..<end].split(separator: 0x2C) where key.starts(with: [0x69, 0x3D]) {
            guard let id = UInt32(String(decoding: key.dropFirst(2), as: UTF8.self)) else { break }
            return .kitty(id: id, message: String(decoding: bytes[(end + 1)...], as: UTF8.self))
        }
        return nil
    }
}

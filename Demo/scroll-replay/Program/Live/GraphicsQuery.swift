import TerminalPictures

/// A query to the terminal for kitty's graphics, which it may answer at any time or never.
struct GraphicsQuery {
    private var parser = TerminalAnswers()
    private var isOpen = false
    private var isKnown = false

    /// Returns the bytes to write to the terminal.
    mutating func ask() -> [UInt8] {
        isOpen = true
        return TerminalAnswers.query
    }

    /// Separates keys from answers; `isKnown` is nil unless there is a new answer.
    mutating func take(_ bytes: [UInt8]) -> (keys: [UInt8], isKnown: Bool?) {
        guard isOpen else { return (bytes, nil) }
        var change: Bool?
        let (answers, keys) = parser.take(bytes)
        for answer in answers {
            switch answer {
            case .kitty(TerminalAnswers.queryID, let message):
                isKnown = message == "OK"
                change = isKnown
            case .kitty: break
            case .attributes:
                // This is the last of the answers.
                isOpen = false
                change = isKnown
            }
        }
        return (isOpen ? keys : keys + parser.flush(), change)
    }
}

import TerminalPictures

/// Whether the terminal knows kitty's graphics: asked once, answered some time or never.
struct GraphicsQuestion {
    private var parser = TerminalAnswers()
    private var isOpen = false
    private var isKnown = false

    /// Returns the bytes to write to the terminal.
    mutating func ask() -> [UInt8] {
        isOpen = true
        return TerminalAnswers.query
    }

    /// Tells keys from answers; `isKnown` is nil as long as there's no news.
    mutating func take(_ bytes: [UInt8]) -> (keys: [UInt8], isKnown: Bool?) {
        guard isOpen else { return (bytes, nil) }
        var news: Bool?
        let (answers, keys) = parser.take(bytes)
        for answer in answers {
            switch answer {
            case .kitty(TerminalAnswers.queryID, let message):
                isKnown = message == "OK"
                news = isKnown
            case .kitty: break
            case .attributes:
                // The last of the answers: there will be no other.
                isOpen = false
                news = isKnown
            }
        }
        return (isOpen ? keys : keys + parser.flush(), news)
    }
}

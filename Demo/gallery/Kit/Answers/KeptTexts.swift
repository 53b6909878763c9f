/// Answers that are the same for everybody until the list is another: made once, and sent again.
struct KeptTexts {
    /// How many bytes are kept.
    static let mostBytes = 4 << 20

    private var version = 0
    private var texts: [String: [UInt8]] = [:]
    private var byteCount = 0

    /// What is kept under a name for a version of the list.
    mutating func text(named name: String, version: Int) -> [UInt8]? {
        if version != self.version { removeAll(version) }
        return texts[name]
    }

    /// Keeps a text for a version of the list; when there's no room, in place of all others.
    mutating func keep(_ text: [UInt8], named name: String, version: Int) {
        if version != self.version || byteCount + text.count > Self.mostBytes {
            removeAll(version)
        }
        guard text.count <= Self.mostBytes else { return }
        byteCount += text.count - (texts.updateValue(text, forKey: name)?.count ?? 0)
    }

    private mutating func removeAll(_ version: Int) {
        self.version = version
        texts = [:]
        byteCount = 0
    }
}

/// A cache of answers that are the same for everybody, for one version of the list.
struct TextCache {
    /// The most bytes that are kept.
    static let mostBytes = 4 << 20

    /// The number of texts that were made.
    private(set) var made = 0
    private var version = 0
    private var texts: [String: [UInt8]] = [:]
    private var byteCount = 0

    /// Returns the text that is kept under a name for a version of the list.
    mutating func text(named name: String, version: Int) -> [UInt8]? {
        if version != self.version { removeAll(version) }
        return texts[name]
    }

    /// Keeps a text that was made for a version of the list; when there's no room, in place of all
    /// others.
    mutating func keep(_ text: [UInt8], named name: String, version: Int) {
        made += 1
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

/// A cache of answers that are the same for all clients, for one version of the list.
struct TextCache {
    /// The maximum size of the cache, in bytes.
    static let mostBytes = 4 << 20

    /// The number of texts that were added.
    private(set) var made = 0
    private var version = 0
    private var texts: [String: [UInt8]] = [:]
    private var byteCount = 0

    /// Returns the cached text of a name for a version of the list.
    mutating func text(named name: String, version: Int) -> [UInt8]? {
        if version != self.version { removeAll(version) }
        return texts[name]
    }

    /// Caches a text for a version of the list; if there is no room, it replaces all others.
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

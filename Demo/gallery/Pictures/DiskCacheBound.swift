/// The limits of a disk cache.
public struct DiskCacheBound: Equatable, Sendable {
    /// The bytes of its files, each in whole blocks of 4096.
    public var bytes: Int
    /// The number of files.
    public var count: Int

    /// So much, of both.
    public init(bytes: Int = 512 << 20, count: Int = 100_000) {
        precondition(bytes >= 0 && count >= 0, "a disk cache's bound isn't negative")
        self.bytes = bytes
        self.count = count
    }

    /// The bound that a sweep leaves, so that the next isn't due at once.
    var afterSweep: DiskCacheBound {
        DiskCacheBound(bytes: bytes - bytes / 16, count: count - count / 16)
    }

    /// Returns the bytes that a file counts: most file systems give it whole blocks.
    static func cost(of bytes: Int) -> Int { (max(0, bytes) + 4095) & ~4095 }

    func exceeds(_ bound: DiskCacheBound) -> Bool { bytes > bound.bytes || count > bound.count }

    mutating func add(bytes: Int, count: Int) {
        self.bytes += bytes
        self.count += count
    }
}

internal import LullLibC

/// The limits of a disk cache.
///
/// In a directory that is shared with other programs, the limits hold for the entries of all of
/// them together.
public struct DiskCacheBound: Hashable, Sendable {
    /// The maximum size of all entries together in bytes, each rounded up to blocks of 4096 bytes.
    public var bytes: Int?
    /// The maximum number of entries.
    public var count: Int?

    /// Creates limits of size and number; nil for none.
    ///
    /// Traps if a number is negative.
    public init(bytes: Int? = nil, count: Int? = nil) {
        precondition(
            bytes ?? 0 >= 0 && count ?? 0 >= 0,
            "a disk cache's bound isn't negative")
        self.bytes = bytes
        self.count = count
    }

    /// No limits, for a directory that other programs maintain as well.
    public static let none = DiskCacheBound()
    /// Half a gigabyte and 100,000 entries, for a service with a directory of its own.
    public static let service = DiskCacheBound(bytes: 512 << 20, count: 100_000)

    /// The part that a sweep leaves free so that the bound holds until the next one: a sixteenth.
    var reserve: DiskCacheBound {
        DiskCacheBound(bytes: bytes.map { $0 / 16 }, count: count.map { $0 / 16 })
    }

    /// The limits that a sweep reduces the cache to.
    var afterSweep: DiskCacheBound {
        DiskCacheBound(
            bytes: bytes.map { $0 - $0 / 16 }, count: count.map { $0 - $0 / 16 })
    }

    func isExceeded(by size: DiskCacheSize) -> Bool {
        size.bytes > bytes ?? .max || size.count > count ?? .max
    }
}

/// The total size of some entries of a disk cache.
struct DiskCacheSize: Equatable {
    let bytes: Int
    let count: Int

    init(bytes: Int = 0, count: Int = 0) {
        self.bytes = bytes
        self.count = count
    }

    /// The size with which a file counts: most file systems allocate whole blocks.
    ///
    /// It's limited, because the lengths of a few sparse files could overflow the sum.
    init(ofFile bytes: Int) {
        self.init(bytes: (min(max(0, bytes), 1 << 40) + 4095) & ~4095, count: 1)
    }

    static func + (one: DiskCacheSize, other: DiskCacheSize) -> DiskCacheSize {
        DiskCacheSize(bytes: one.bytes + other.bytes, count: one.count + other.count)
    }

    static func - (one: DiskCacheSize, other: DiskCacheSize) -> DiskCacheSize {
        DiskCacheSize(bytes: one.bytes - other.bytes, count: one.count - other.count)
    }
}

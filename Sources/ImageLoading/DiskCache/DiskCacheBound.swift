/// The limits of a disk cache.
///
/// A folder that is shared with other programs has their entries in it as well: the limits hold for
/// all of them together.
public struct DiskCacheBound: Hashable, Sendable {
    /// The most bytes of all entries together, each counted in whole blocks of 4096 bytes.
    public var bytes: Int?
    /// The most entries.
    public var count: Int?
    /// The time that an entry stays after its last use, which is noted once a day.
    public var age: Duration?

    /// Limits of size, number and age; nil for none.
    public init(bytes: Int? = nil, count: Int? = nil, age: Duration? = nil) {
        precondition(
            bytes ?? 0 >= 0 && count ?? 0 >= 0 && age ?? .zero >= .zero,
            "a disk cache's bound isn't negative")
        self.bytes = bytes
        self.count = count
        self.age = age
    }

    /// No limit: right for a folder that others look after as well.
    public static let none = DiskCacheBound()
    /// Half a gigabyte and 100,000 entries: right for a service that has a folder of its own.
    public static let service = DiskCacheBound(bytes: 512 << 20, count: 100_000)

    /// A sixteenth of the size, which a sweep leaves free so that the bound holds until the next.
    var reserve: DiskCacheBound {
        DiskCacheBound(bytes: bytes.map { $0 / 16 }, count: count.map { $0 / 16 })
    }

    /// The size that a sweep leaves.
    var afterSweep: DiskCacheBound {
        DiskCacheBound(
            bytes: bytes.map { $0 - $0 / 16 }, count: count.map { $0 - $0 / 16 }, age: age)
    }

    func isExceeded(by size: DiskCacheSize) -> Bool {
        size.bytes > bytes ?? .max || size.count > count ?? .max
    }
}

/// The size of some entries of a disk cache.
struct DiskCacheSize: Equatable {
    private(set) var bytes = 0
    private(set) var count = 0

    /// Returns the bytes that a file counts: most file systems give it whole blocks.
    ///
    /// Sparse files can be so long that a few of them would be beyond all numbers.
    static func cost(of bytes: Int) -> Int { (min(max(0, bytes), 1 << 40) + 4095) & ~4095 }

    mutating func add(cost: Int) {
        bytes += cost
        count += 1
    }

    mutating func remove(cost: Int) {
        bytes -= cost
        count -= 1
    }
}

/// How much a thumbnail cache may keep, and for how long.
///
/// The standard has no bound. In a folder that is shared with other programs, this one's bound holds
/// for their thumbnails too.
public struct ThumbnailBound: Hashable, Sendable {
    /// What all entries together may take, each counted in whole blocks of 4096 bytes.
    public var bytes: Int?
    /// How long an entry stays after it was last used; use is noted once a day.
    public var age: Duration?

    /// A bound of size, age, both or neither.
    public init(bytes: Int? = nil, age: Duration? = nil) {
        precondition(bytes ?? 0 >= 0 && age ?? .zero >= .zero, "a bound is not negative")
        self.bytes = bytes
        self.age = age
    }

    /// Everything stays: right for a folder that others look after as well.
    public static let none = ThumbnailBound()
    /// Half a gigabyte: right for a service that has a folder of its own.
    public static let service = ThumbnailBound(bytes: 512 << 20)

    var isNone: Bool { bytes == nil && age == nil }
}

/// A kind of work that costs about the same each time, or the more the larger it is.
///
/// Who doesn't know what a piece of work costs often knows which are alike: jobs of one name, rows of
/// one template, files of one format. What each kind costs, and how the cost grows with the size, is
/// learned from what was done:
///
/// ```swift
/// func kind(of photo: Photo) -> WorkKind? {
///     WorkKind(photo.isScan ? "scan" : "photo", size: photo.byteCount)
/// }
/// ```
///
/// A kind that was seen once or twice is expected to cost about as much as all others do. Any number
/// of kinds may be named; the costs of the last hundred or so are remembered.
public struct WorkKind: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The number of the kind; any number will do.
    package var number: Int
    /// The size, in a unit that is the same for all work that is learned together, such as bytes or
    /// pixels; nil if it is unknown, or doesn't matter.
    package var size: Int?

    /// A kind, and the size of a piece of work of that kind.
    package init(_ number: Int = 0, size: Int? = nil) {
        self.number = number
        self.size = size
    }

    /// A kind of this name, and the size of a piece of work of that kind.
    public init(_ name: String, size: Int? = nil) {
        // FNV-1a: the number must be the same in each process, as it decides which kinds are kept.
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        self.init(Int(truncatingIfNeeded: hash), size: size)
    }

    /// A kind of this name.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}

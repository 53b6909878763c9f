/// A kind of loads that cost about the same, or the more the larger they are.
///
/// A source that doesn't know what a load costs often knows which are alike: rows of one template,
/// files of one format. The loader learns what each kind costs, and how the cost grows with the
/// size, from the loads that it has done:
///
/// ```swift
/// func kind(of photo: Photo) -> LoadKind? {
///     LoadKind(photo.isScan ? 1 : 0, size: photo.byteCount)
/// }
/// ```
///
/// A kind that was seen once or twice is expected to cost about as much as all others do. Any number
/// of kinds may be named; the costs of the last hundred or so are remembered.
public struct LoadKind: Hashable, Sendable {
    /// The number of the kind; any number will do.
    public var number: Int
    /// The size, in a unit that is the same for all of a source's keys, such as bytes or pixels; nil
    /// if it is unknown, or doesn't matter.
    public var size: Int?

    /// A kind, and the size of a load of that kind.
    public init(_ number: Int = 0, size: Int? = nil) {
        self.number = number
        self.size = size
    }
}

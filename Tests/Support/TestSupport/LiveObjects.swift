/// A count of the objects that a test gave away and that somebody still holds.
///
/// ```swift
/// let live = LiveObjects()
/// let watch = try loop.watch(descriptor, for: .readable) { [object = live.make()] _ in _ = object }
/// watch.cancel()
/// #expect(live.count == 0)
/// ```
public final class LiveObjects {
    /// An object that is counted as long as it's held.
    public final class Object {
        private let owner: LiveObjects

        fileprivate init(_ owner: LiveObjects) {
            self.owner = owner
            owner.count += 1
        }

        deinit {
            owner.count -= 1
        }
    }

    /// How many objects are still held.
    public private(set) var count = 0

    /// A count of nothing yet.
    public init() {}

    /// Makes an object for a closure to hold.
    public func make() -> Object { Object(self) }
}

/// What a loop is doing, as its observers are told; the words are CFRunLoop's.
public struct Activity: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// A set of these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `run` was called.
    public static let entry = Activity(rawValue: 1)
    /// The loop has polled, found nothing ready, and would now sleep.
    public static let beforeIdle = Activity(rawValue: 2)
    /// The loop has slept; what woke it is not dispatched yet.
    public static let afterIdle = Activity(rawValue: 4)
    /// `run` is about to return.
    public static let exit = Activity(rawValue: 8)
}

/// What a callback before idle did with its turn.
public enum IdleResult: Sendable {
    /// There was nothing to do: as far as this one is concerned the loop may sleep.
    case nothing
    /// Some work was done: the loop polls, and comes again when nothing is ready.
    case worked
}

/// A callback on what a loop is doing.
///
/// The loop keeps it until `cancel()`, or until it was called once if it doesn't repeat.
public final class Observer {
    enum Body {
        case note((Activity) -> Void)
        case work((borrowing IdleSlot) -> IdleResult)
    }

    /// The place in the row: lower ones are called first, equal ones in the order they came.
    public let order: Int
    let activities: Activity
    let repeats: Bool
    private(set) var body: Body?
    /// Whether the loop will call it again.
    public private(set) var isActive = true
    private weak var loop: MainLoop?

    init(loop: MainLoop, activities: Activity, order: Int, repeats: Bool, body: Body) {
        self.loop = loop
        self.activities = activities
        self.order = order
        self.repeats = repeats
        self.body = body
    }

    /// Takes it off the loop; it isn't called after this returns.
    ///
    /// A second call does nothing.
    public func cancel() {
        guard isActive else { return }
        isActive = false
        body = nil
        loop?.forget(self)
    }
}

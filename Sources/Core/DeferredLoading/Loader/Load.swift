public import IdleLoop

/// A value being loaded, slice by slice; releasing it between two slices cancels the load.
///
/// ```swift
/// final class Thumbnail: Load {
///     func step(in slot: borrowing IdleSlot) throws -> LoadStep<Picture> {
///         while !slot.isOver, !decoder.isFinished { try decoder.decodeSomeRows() }
///         if decoder.isFinished { return .done(decoder.picture) }
///         return decoder.endedScan ? .refined(decoder.picture) : .more
///     }
/// }
/// ```
public protocol Load<Value>: AnyObject {
    /// The type of the value.
    associatedtype Value

    /// Does some of the work, until it is finished or the time slice is over.
    func step(in slot: borrowing IdleSlot) throws -> LoadStep<Value>

    /// The finished part of the work, from 0 to 1; nil if unknown.
    var share: Double? { get }

    /// The number of bytes that it holds, without the fetched data and the preview.
    var size: Int { get }

    /// The place where the next slice may run; it's asked on the loop.
    var placement: Placement { get }
}

/// A load whose slices may run anywhere: on the loop, or in the lulls of other processors.
///
/// One thread steps it at a time, and slices may run on different threads. Its state is handed over by
/// being `Sendable`: under a `Mutex`, which nobody waits for.
///
/// ```swift
/// final class Sum: SendableLoad {
///     private let rest: Mutex<[Int]>
///
///     init(_ numbers: [Int]) { rest = Mutex(numbers) }
///
///     func step(in slot: borrowing IdleSlot) -> LoadStep<Int> {
///         rest.withLock { rest in .done(rest.reduce(0, +)) }
///     }
/// }
/// ```
///
/// Previews, values and errors arrive on the loop, and are committed in one of its lulls.
public protocol SendableLoad<Value>: Load, Sendable where Value: Sendable {}

/// A place where work may run.
public enum Placement: Sendable {
    /// On the loop, in its own lulls.
    case loop
    /// On the loop or on a lane, a thread for the lulls of another processor.
    case anywhere
}

extension Load {
    /// Nil, unless a load implements it.
    public var share: Double? { nil }

    /// Zero, unless a load implements it.
    public var size: Int { 0 }

    /// The loop; a load that isn't a ``SendableLoad`` runs there whatever it says.
    public var placement: Placement { .loop }
}

extension SendableLoad {
    /// Anywhere, unless a load implements it.
    public var placement: Placement { .anywhere }
}

/// The result of one slice of a load.
public enum LoadStep<Value> {
    /// There is more to do.
    case more
    /// There is more to do once ``DeferredLoader/resume(_:)`` was called for the key: until then,
    /// the load keeps its place and costs nothing.
    case waiting
    /// There is more to do, and a preview can be shown until the value is done.
    case refined(Value)
    /// The value is done.
    case done(Value)
}

extension LoadStep: Sendable where Value: Sendable {}

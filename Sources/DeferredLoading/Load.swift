public import IdleLoop

/// A value being loaded, a slice at a time; letting go of it between two slices cancels it.
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
    /// What is loaded.
    associatedtype Value

    /// Does some of the work, until it's finished or the slot's slice is over.
    func step(in slot: borrowing IdleSlot) throws -> LoadStep<Value>

    /// How much of the work is done, from 0 to 1; nil if it can't say.
    var share: Double? { get }

    /// How many bytes it holds, besides what was fetched and what can be shown of it.
    var size: Int { get }
}

extension Load {
    /// Unknown unless a load says otherwise.
    public var share: Double? { nil }

    /// It doesn't count unless a load says otherwise.
    public var size: Int { 0 }
}

/// What a slice of loading came to.
public enum LoadStep<Value> {
    /// There is more to do.
    case more
    /// There is more to do, but this much can be shown until it's done.
    case refined(Value)
    /// The value is there.
    case done(Value)
}

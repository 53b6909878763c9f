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
    /// The type of the value.
    associatedtype Value

    /// Does some of the work, until it's finished or the slot's slice is over.
    func step(in slot: borrowing IdleSlot) throws -> LoadStep<Value>

    /// The part of the work that is done, from 0 to 1; nil if unknown.
    var share: Double? { get }

    /// The bytes it holds, besides what was fetched and what can be shown of it.
    var size: Int { get }
}

extension Load {
    /// Unknown unless a load says otherwise.
    public var share: Double? { nil }

    /// It doesn't count unless a load says otherwise.
    public var size: Int { 0 }
}

/// The result of a slice of loading.
public enum LoadStep<Value> {
    /// There is more to do.
    case more
    /// There is more to do, but this much can be shown until it's done.
    case refined(Value)
    /// The value is there.
    case done(Value)
}

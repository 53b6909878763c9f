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
}

extension Load {
    /// Nil, unless a load implements it.
    public var share: Double? { nil }

    /// Zero, unless a load implements it.
    public var size: Int { 0 }
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

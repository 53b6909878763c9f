/// The keys of a program's pictures, and the values that it makes from them.
///
/// ``ShownPictures`` is the recipe for pictures that are shown as they are. A program that sends
/// pictures on has keys and an encoder of its own, and perhaps a disk cache:
///
/// ```swift
/// struct Covers: PictureRecipe {
///     func name(of album: Int) -> String { "album \(album)" }
///     func targetSize(of album: Int) -> PixelSize { PixelSize(width: 256, height: 256) }
///     func make(_ picture: Picture, for album: Int) -> any SteppedWork<[UInt8], PictureError.Reason> {
///         PNGFile(picture)
///     }
///     func size(of file: [UInt8]) -> Int { file.count }
/// }
/// ```
///
/// Its methods are called by workers as well as by the loop.
public protocol PictureRecipe<Key, Value>: Sendable {
    /// The type of the keys of pictures.
    associatedtype Key: Hashable & Sendable
    /// The type of the values that are made from pictures.
    associatedtype Value: Sendable

    /// Returns the name of a key's file in errors, which also identifies its failures.
    func name(of key: Key) -> String

    /// Returns the target size that a key's picture is scaled down to fit.
    func targetSize(of key: Key) -> PixelSize

    /// Returns the work of making a value from a decoded picture: the next steps of its job.
    func make(
        _ picture: Picture, for key: Key
    ) throws(PictureError.Reason) -> any SteppedWork<Value, PictureError.Reason>

    /// Returns the size of a value in bytes.
    func size(of value: Value) -> Int

    /// Returns the value that is shown for a preview; nil for none.
    func preview(_ picture: Picture, for key: Key) -> Value?

    /// Returns whether a worker decodes a key's picture, rather than the loop in many slices.
    func prefersWorker(_ key: Key) -> Bool

    /// Whether a key identifies one state of its file, so that it always gives the same picture.
    var keysNameStates: Bool { get }

    /// The values on disk; nil if none are stored.
    var store: (any PictureStore<Key, Value>)? { get }
}

extension PictureRecipe {
    /// Returns nil: no previews are shown.
    public func preview(_ picture: Picture, for key: Key) -> Value? { nil }

    /// Returns false: slices are enough for everything that can be sliced.
    public func prefersWorker(_ key: Key) -> Bool { false }

    /// The value false: a file may change under its key.
    public var keysNameStates: Bool { false }

    /// The value nil: nothing is stored on disk.
    public var store: (any PictureStore<Key, Value>)? { nil }
}

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

    /// Returns the size to decode to: the key's, or larger if a larger picture is stored.
    ///
    /// The header is nil if another process reads it.
    func decodingSize(of key: Key, _ header: PictureHeader?) -> PixelSize

    /// Returns whether a worker decodes a key's picture, rather than the loop in many slices.
    func prefersWorker(_ key: Key) -> Bool

    /// Whether a key identifies one state of its file, so that it always gives the same picture.
    var keysNameStates: Bool { get }

    /// Looks for a key's entry on disk.
    ///
    /// It blocks on the disk.
    func find(_ key: Key, _ stamp: FileStamp?) -> StoredPicture<Value>

    /// Returns the work of storing a value on disk, not yet begun; nil if this value isn't stored.
    ///
    /// It's not called for a damaged picture.
    func writer(of made: MadePicture<Value>, for key: Key) -> (any SteppedWork<Void, any Error>)?

    /// Records on disk that a file in this state gives no picture.
    func recordFailure(of key: Key, _ stamp: FileStamp)

    /// Returns the maintenance work on disk when a program starts; nil if there is none.
    func maintenance() -> (any SteppedWork<Void, any Error>)?

    /// The reason why nothing can be stored on disk; nil while something can.
    var diskCacheFailure: DiskCacheFailure? { get }
}

extension PictureRecipe {
    /// Returns nil: no previews are shown.
    public func preview(_ picture: Picture, for key: Key) -> Value? { nil }

    /// Returns the key's target size.
    public func decodingSize(of key: Key, _ header: PictureHeader?) -> PixelSize {
        targetSize(of: key)
    }

    /// Returns false: slices are enough for everything that can be sliced.
    public func prefersWorker(_ key: Key) -> Bool { false }

    /// The value false: a file may change under its key.
    public var keysNameStates: Bool { false }

    /// Returns `none`: nothing is stored on disk.
    public func find(_ key: Key, _ stamp: FileStamp?) -> StoredPicture<Value> { .none }

    /// Returns nil: nothing is stored on disk.
    public func writer(
        of made: MadePicture<Value>, for key: Key
    ) -> (any SteppedWork<Void, any Error>)? { nil }

    /// Does nothing: nothing is stored on disk.
    public func recordFailure(of key: Key, _ stamp: FileStamp) {}

    /// Returns nil: nothing is stored on disk.
    public func maintenance() -> (any SteppedWork<Void, any Error>)? { nil }

    /// The value nil: nothing is stored on disk.
    public var diskCacheFailure: DiskCacheFailure? { nil }
}

extension PictureRecipe {
    /// Returns the work of storing a value on disk; nil if it isn't stored, as those of damaged
    /// pictures aren't.
    func storing(
        _ made: MadePicture<Value>, for key: Key
    ) -> (any SteppedWork<Void, any Error>)? {
        made.picture.isDamaged ? nil : writer(of: made, for: key)
    }
}

/// The entry of a key on disk.
public enum StoredPicture<Value: Sendable>: Sendable {
    /// No entry, or one that is out of date.
    case none
    /// The value itself.
    case value(Value)
    /// A picture file to be decoded in place of the original.
    case file(String)
    /// A record that the file gives no picture.
    case failed
}

extension StoredPicture: Equatable where Value: Equatable {}

/// A value, and the picture that it was made from.
public struct MadePicture<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The picture, as it was decoded.
    public let picture: Picture
    /// The header of its file; nil if another process has read it.
    public let header: PictureHeader?
    /// The state of the file before it was decoded.
    public let stamp: FileStamp?

    /// Creates a value with the picture that it was made from.
    public init(value: Value, picture: Picture, header: PictureHeader?, stamp: FileStamp?) {
        self.value = value
        self.picture = picture
        self.header = header
        self.stamp = stamp
    }
}

/// Work that is done in small steps on a main loop, or at once by a worker.
public protocol SteppedWork<Output, Failure>: AnyObject {
    /// The type of the result.
    associatedtype Output
    /// The type of the errors.
    associatedtype Failure: Error

    /// Does the next small part of the work.
    ///
    /// - Returns: The result, after the last part and on every further call; nil until then.
    /// - Throws: The error if there is no result; no part follows.
    func advance() throws(Failure) -> Output?
}

extension SteppedWork {
    /// Does all the remaining work.
    ///
    /// - Returns: The result.
    /// - Throws: The error if there is no result.
    public func finish() throws(Failure) -> Output {
        while true {
            if let output = try advance() { return output }
        }
    }
}

/// Work that is done in one step.
public final class SingleStep<Output>: SteppedWork {
    private let work: () throws -> Output

    /// Creates work that is done when it's advanced.
    public init(_ work: @escaping () throws -> Output) { self.work = work }

    /// Does all of the work.
    public func advance() throws -> Output? { try work() }
}

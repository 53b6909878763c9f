/// The keys of a program's pictures, and the values that it makes of them.
///
/// ``ShownPictures`` is the one for pictures that are shown as they are. A program that sends them on
/// has keys and an encoder of its own, and perhaps a cache on disk:
///
/// ```swift
/// struct Covers: PictureRecipe {
///     func name(of album: Int) -> String { "album \(album)" }
///     func box(of album: Int) -> PixelSize { PixelSize(width: 256, height: 256) }
///     func make(_ picture: Picture, for album: Int) -> any SteppedWork<[UInt8], PictureError.Reason> {
///         PNGFile(picture)
///     }
///     func size(of file: [UInt8]) -> Int { file.count }
/// }
/// ```
///
/// Workers call it as well as the loop.
public protocol PictureRecipe<Key, Value>: Sendable {
    /// The type of the names of pictures.
    associatedtype Key: Hashable & Sendable
    /// The type of what is made of them.
    associatedtype Value: Sendable

    /// Returns the name of a key's file in errors, which is also that of its failures.
    func name(of key: Key) -> String

    /// Returns the box that a key's picture is scaled down to lie in.
    func box(of key: Key) -> PixelSize

    /// Returns the work of making a value of a picture that was decoded: the next steps of its job.
    func make(
        _ picture: Picture, for key: Key
    ) throws(PictureError.Reason) -> any SteppedWork<Value, PictureError.Reason>

    /// Returns the bytes of a value.
    func size(of value: Value) -> Int

    /// Returns the value that is shown of a preview; nil if none is.
    func preview(_ picture: Picture, for key: Key) -> Value?

    /// Returns the box to decode to, at least the key's, if more than that is kept on disk.
    ///
    /// There's no header where another process reads it.
    func decodingBox(of key: Key, _ header: PictureHeader?) -> PixelSize

    /// Whether a key's picture is decoded by a worker rather than in many slices.
    func prefersWorker(_ key: Key) -> Bool

    /// Whether a key stands for one state of its file, so that it never gives another picture.
    var keysNameStates: Bool { get }

    /// Looks for a key on disk. It waits for the disk.
    func find(_ key: Key, _ stamp: FileStamp?) -> StoredPicture<Value>

    /// Returns the work of keeping a value on disk, not begun yet; nil if this one isn't kept.
    func writer(of made: MadePicture<Value>, for key: Key) -> (any SteppedWork<Void, any Error>)?

    /// Notes on disk that a file in this state gives no picture.
    func noteFailure(of key: Key, _ stamp: FileStamp)

    /// Returns the work of putting the disk in order when a program starts; nil if there is none.
    func upkeep() -> (any SteppedWork<Void, any Error>)?

    /// The reason why nothing can be kept on disk; nil while something can.
    var trouble: DiskCacheTrouble? { get }
}

extension PictureRecipe {
    /// No previews are shown.
    public func preview(_ picture: Picture, for key: Key) -> Value? { nil }

    /// No more than the key's box.
    public func decodingBox(of key: Key, _ header: PictureHeader?) -> PixelSize { box(of: key) }

    /// No: slices do for all that can be sliced.
    public func prefersWorker(_ key: Key) -> Bool { false }

    /// No: a file may change under its key.
    public var keysNameStates: Bool { false }

    /// Nothing is kept on disk.
    public func find(_ key: Key, _ stamp: FileStamp?) -> StoredPicture<Value> { .none }

    /// Nothing is kept on disk.
    public func writer(
        of made: MadePicture<Value>, for key: Key
    ) -> (any SteppedWork<Void, any Error>)? { nil }

    /// Nothing is kept on disk.
    public func noteFailure(of key: Key, _ stamp: FileStamp) {}

    /// Nothing is kept on disk.
    public func upkeep() -> (any SteppedWork<Void, any Error>)? { nil }

    /// Nothing is kept on disk.
    public var trouble: DiskCacheTrouble? { nil }
}

/// A key's entry on disk.
public enum StoredPicture<Value: Sendable>: Sendable {
    /// There is none, or none that is still true.
    case none
    /// The value itself.
    case value(Value)
    /// A picture file to be decoded in place of the original.
    case file(String)
    /// The file is known to give no picture.
    case failed
}

extension StoredPicture: Equatable where Value: Equatable {}

/// A value, and the picture that it was made of.
public struct MadePicture<Value: Sendable>: Sendable {
    /// The value.
    public let value: Value
    /// The picture, as it was decoded.
    public let picture: Picture
    /// The header of its file; nil if another process has read it.
    public let header: PictureHeader?
    /// The state of the file before it was decoded.
    public let stamp: FileStamp?

    /// A value, and what it was made of.
    public init(value: Value, picture: Picture, header: PictureHeader?, stamp: FileStamp?) {
        self.value = value
        self.picture = picture
        self.header = header
        self.stamp = stamp
    }
}

/// Work that is done in small steps, on a main loop, or at once by a worker.
public protocol SteppedWork<Output, Failure>: AnyObject {
    /// The type of the result.
    associatedtype Output
    /// The type of the errors.
    associatedtype Failure: Error

    /// Does the next small part of the work.
    ///
    /// - Returns: The result after the last part, and whenever it's called again; until then nil.
    /// - Throws: Why there is none. That was the last part.
    func advance() throws(Failure) -> Output?
}

extension SteppedWork {
    /// Does all that is left of the work.
    ///
    /// - Returns: The result.
    /// - Throws: Why there is none.
    public func finish() throws(Failure) -> Output {
        while true {
            if let output = try advance() { return output }
        }
    }
}

/// Work that is done in one step.
public final class SingleStep<Output>: SteppedWork {
    private let work: () throws -> Output

    /// Work that is done when it's advanced.
    public init(_ work: @escaping () throws -> Output) { self.work = work }

    /// Does all of it.
    public func advance() throws -> Output? { try work() }
}

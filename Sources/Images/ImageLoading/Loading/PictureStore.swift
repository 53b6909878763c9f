/// The values of pictures on disk, which outlive the process that made them.
///
/// All calls block on the disk, for a short time: they look at a file's name and state, or write a
/// slice. They are made by workers as well as by the loop.
public protocol PictureStore<Key, Value>: Sendable {
    /// The type of the keys of pictures.
    associatedtype Key: Hashable & Sendable
    /// The type of the values that are made from pictures.
    associatedtype Value: Sendable

    /// Returns the size to decode to, so that what is stored serves other keys, too; nil for the
    /// key's target size.
    ///
    /// The header is nil if another process reads it.
    func decodingSize(of key: Key, _ header: PictureHeader?) -> PixelSize?

    /// Looks for a key's entry; a file is in the state `stamp`, if it has a path.
    func find(_ key: Key, _ stamp: FileStamp?) -> StoredPicture<Value>

    /// Returns the work of storing a value, not yet begun; nil if this value isn't stored.
    ///
    /// It's not called for a damaged picture. If the work is dropped halfway, it leaves nothing
    /// behind.
    func writer(of made: MadePicture<Value>, for key: Key) -> (any SteppedWork<Void, any Error>)?

    /// Returns the work of recording that a file in this state gives no picture, so that it isn't
    /// tried again until it changes; nil if that isn't recorded.
    func failureWriter(of key: Key, _ stamp: FileStamp) -> (any SteppedWork<Void, any Error>)?

    /// Returns the maintenance work when a program starts; nil if there is none.
    func maintenance() -> (any SteppedWork<Void, any Error>)?

    /// The reason why nothing can be stored; nil while something can.
    var failure: DiskCacheFailure? { get }
}

extension PictureStore {
    /// Returns nil: the key's target size.
    public func decodingSize(of key: Key, _ header: PictureHeader?) -> PixelSize? { nil }

    /// Returns nil: failures aren't stored.
    public func failureWriter(
        of key: Key, _ stamp: FileStamp
    ) -> (any SteppedWork<Void, any Error>)? { nil }

    /// Returns nil: there is no maintenance.
    public func maintenance() -> (any SteppedWork<Void, any Error>)? { nil }

    /// The value nil: there is no failure to report.
    public var failure: DiskCacheFailure? { nil }
}

extension PictureRecipe {
    /// Returns the size to decode to: the key's, or larger if a larger picture is stored.
    func decodingSize(of key: Key, _ header: PictureHeader?) -> PixelSize {
        store?.decodingSize(of: key, header) ?? targetSize(of: key)
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
}

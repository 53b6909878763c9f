/// A store of small pictures of files, which outlive the process that decoded them.
///
/// All calls are short: they look at a file's name and state, or write a slice.
public protocol ThumbnailStore: Sendable {
    /// Returns the size to decode to, so that a stored picture serves all smaller requests; nil if
    /// pictures for this target size aren't stored.
    func size(serving targetSize: PixelSize) -> PixelSize?

    /// Returns the stored entry of a file in the state `stamp`.
    func find(
        _ file: String, _ stamp: FileStamp, serving targetSize: PixelSize
    ) -> StoredPicture<Picture>

    /// Returns the work of storing a picture, not yet begun; nil if this picture isn't stored.
    ///
    /// - Parameters:
    ///   - picture: The file's picture, upright, fitted in `size(serving:)`.
    ///   - file: The path of the file.
    ///   - stamp: The state of the file before it was decoded.
    ///   - header: The header of the file; nil if another process has read it.
    /// - Returns: The work. If it's dropped halfway, it leaves nothing behind.
    func writer(
        of picture: Picture, from file: String, _ stamp: FileStamp, header: PictureHeader?
    ) -> (any SteppedWork<Void, any Error>)?

    /// Records that a file gives no picture, so that it isn't tried again until it changes.
    func recordFailure(of file: String, _ stamp: FileStamp)
}

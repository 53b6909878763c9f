/// Where small pictures of files outlive the process that decoded them.
///
/// All calls are short: a look at a file's name and state, or a slice of writing.
public protocol ThumbnailStore: Sendable {
    /// The box to decode to, so that what is stored serves all who ask for less; nil if pictures
    /// for this box are not stored.
    func size(serving box: PixelSize) -> PixelSize?

    /// What is kept of a file in the state of `stamp`.
    func find(_ file: String, _ stamp: FileStamp, serving box: PixelSize) -> StoredPicture<Picture>

    /// The work of storing a picture, not begun yet; nil if this one is not to be stored.
    ///
    /// - Parameters:
    ///   - picture: The file's picture, upright, fitted in `size(serving:)`.
    ///   - file: Where it comes from.
    ///   - stamp: The state of the file before it was decoded.
    ///   - header: The header of the file; nil if another process has read it.
    /// - Returns: The work. Dropped half-way, it leaves nothing behind.
    func writer(
        of picture: Picture, from file: String, _ stamp: FileStamp, header: PictureHeader?
    ) -> (any SteppedWork<Void, any Error>)?

    /// Notes that a file gives no picture, so that nobody tries again until it changes.
    func noteFailure(of file: String, _ stamp: FileStamp)
}

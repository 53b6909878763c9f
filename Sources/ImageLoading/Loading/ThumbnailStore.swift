/// Where small pictures outlive the process that decoded them.
///
/// All calls are made on the loop's thread and are short: a look at a file's name and state, or a
/// slice of writing.
public protocol ThumbnailStore: AnyObject {
    /// The box to decode to, so that what is stored serves all who ask for less; nil if pictures
    /// for this box are not stored.
    func size(serving box: PixelSize) -> PixelSize?

    /// What is kept of a file in the state of `stamp`.
    func find(_ file: String, _ stamp: FileStamp, serving box: PixelSize) -> StoredThumbnail

    /// The work of storing a picture, not begun yet; nil if this one is not to be stored.
    ///
    /// - Parameters:
    ///   - picture: The file's picture, upright, fitted in `size(serving:)`.
    ///   - file: Where it comes from.
    ///   - stamp: The state of the file before it was decoded.
    ///   - header: What the file said of itself.
    /// - Returns: The work, to be stepped in later slices.
    func writer(
        of picture: Picture, from file: String, _ stamp: FileStamp, header: PictureHeader
    ) -> (any ThumbnailWriter)?

    /// Notes that a file gives no picture, so that nobody tries again until it changes.
    func noteFailure(of file: String, _ stamp: FileStamp)
}

/// What a store has of a file.
public enum StoredThumbnail: Equatable, Sendable {
    /// Nothing, or nothing that is still true.
    case none
    /// A picture file to be decoded in place of the original.
    case picture(String)
    /// The file is known to give no picture.
    case failed
}

/// A picture being stored, a slice at a time; dropped half-way, it leaves nothing behind.
public protocol ThumbnailWriter: AnyObject {
    /// Does the next small part of the work, and says whether that was all.
    ///
    /// A step after the last does nothing.
    ///
    /// - Throws: Why it can't be stored, a full disk say; that was the last step.
    func step() throws -> Bool
}

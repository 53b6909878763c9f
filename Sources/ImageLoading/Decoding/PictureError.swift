/// Why a file gave no picture.
///
/// ```text
/// photos/a.jpg: truncated: 12 of 480 rows
/// ```
public struct PictureError: Error, Equatable, Sendable {
    /// The file, as it was named by who asked for it.
    public let file: String
    /// What was wrong with it.
    public let reason: Reason

    /// An error about a file.
    public init(file: String, reason: Reason) {
        self.file = file
        self.reason = reason
    }

    /// What can be wrong with a file.
    public enum Reason: Error, Equatable, Sendable {
        /// The system refused to open it.
        case cannotOpen(errno: Int32)
        /// The system failed to read it.
        case cannotRead(errno: Int32)
        /// It is a directory, a pipe or a device.
        case notARegularFile
        /// It has no bytes.
        case empty
        /// It is beyond one of the `PictureLimits`.
        case tooLarge(Measure, found: Int, limit: Int)
        /// It is of a kind that is not read: the name of the kind, or what the file starts with.
        case unsupported(String)
        /// It ends too early. Of nothing (`of` is 0) if it ends before its size is known.
        case truncated(rowsDecoded: Int, of: Int)
        /// It breaks the rules of its format, in the words of who noticed.
        case corrupt(String)
        /// Somebody wrote to it, or put another in its place, while it was read: what came of it
        /// is neither the old picture nor the new one, and trying once more is worth it.
        case changedWhileRead
        /// It is another file than the one that was asked for.
        case replaced
        /// The system had no memory left for it.
        case outOfMemory
    }

    /// What `PictureLimits` limit.
    public enum Measure: String, Sendable {
        /// The bytes of the file.
        case bytes
        /// The pixels of the picture.
        case pixels
        /// The bytes that the decoder needs.
        case decoderMemory = "bytes of decoder memory"
        /// The scans of a progressive JPEG.
        case scans
        /// The time that decoding takes.
        case time = "nanoseconds of processor time"
    }
}

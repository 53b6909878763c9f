/// An error that states why a file gave no picture.
///
/// ```text
/// photos/a.jpg: truncated: 12 of 480 rows
/// ```
public struct PictureError: Error, Equatable, Sendable {
    /// The file, by the name that the caller gave it.
    public let file: String
    /// The reason.
    public let reason: Reason

    /// Creates an error about a file.
    public init(file: String, reason: Reason) {
        self.file = file
        self.reason = reason
    }

    /// A reason why a file gave no picture.
    public enum Reason: Error, Equatable, Sendable {
        /// The system refused to open the file.
        case cannotOpen(errno: Int32)
        /// The system failed to read the file.
        case cannotRead(errno: Int32)
        /// The file is a directory, a pipe or a device.
        case notARegularFile
        /// The file has no bytes.
        case empty
        /// The file exceeds one of the `PictureLimits`.
        case tooLarge(Measure, found: Int, limit: Int)
        /// Decoding took more processor time than the `PictureLimits` allow.
        case tooSlow(spent: Duration, limit: Duration)
        /// The format isn't supported: its name, or the first bytes of the file.
        case unsupported(String)
        /// The file ends too early; `of` is 0 if it ends before the picture's size is known. The rows
        /// are those in full detail: of a file of several scans that lacks one, there are none.
        case truncated(rowsDecoded: Int, of: Int)
        /// The file violates its format; the text is the decoder's message.
        case corrupt(String)
        /// The file was written to, or replaced, while it was read.
        ///
        /// The result is neither the old picture nor the new one; a new attempt may succeed.
        case changedWhileRead
        /// The file is not the one that was requested.
        case replaced
        /// The system had no memory left.
        case outOfMemory
    }

    /// A quantity that `PictureLimits` limits.
    public enum Measure: String, Sendable {
        /// The bytes of the file.
        case bytes
        /// The pixels of the picture.
        case pixels
        /// The bytes that the decoder needs.
        case decoderMemory = "bytes of decoder memory"
        /// The scans of a progressive JPEG.
        case scans
    }
}

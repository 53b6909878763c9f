/// A state of a file, identified without reading it: by its modification time and its length.
public struct FileStamp: Hashable, Sendable {
    /// The modification time: whole seconds since 1970.
    public var seconds: Int
    /// The nanoseconds of the modification time.
    public var nanoseconds: Int
    /// The length of the file in bytes.
    public var bytes: Int

    /// Creates a known state of a file.
    public init(seconds: Int, nanoseconds: Int, bytes: Int) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
        self.bytes = bytes
    }

    /// Reads the current state of a file, following links; nil if the file can't be found.
    public init?(ofFile path: String) {
        guard let state = FileState(ofFile: path) else { return nil }
        self = state.stamp
    }
}

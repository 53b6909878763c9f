/// A state of a file, told from another without reading it: the time of its last change, and its
/// length.
public struct FileStamp: Hashable, Sendable {
    /// The time at which the file was last written: whole seconds since 1970.
    public var seconds: Int
    /// The rest of that instant.
    public var nanoseconds: Int
    /// The length of the file.
    public var bytes: Int

    /// A state of a file that is known already.
    public init(seconds: Int, nanoseconds: Int, bytes: Int) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
        self.bytes = bytes
    }

    /// The state in which a file is now, links followed; nil if there is none to be seen.
    public init?(ofFile path: String) {
        guard let state = FileState(ofFile: path) else { return nil }
        self = state.stamp
    }
}

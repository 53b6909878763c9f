/// A state of a file, identified without reading it: by its length and the times of its changes.
public struct FileStamp: Hashable, Sendable {
    /// The modification time: whole seconds since 1970.
    public var seconds: Int
    /// The nanoseconds of the modification time.
    public var nanoseconds: Int
    /// The length of the file in bytes.
    public var bytes: Int
    /// The time since 1970 at which the file was last written, replaced or given other metadata.
    ///
    /// The modification time can be set back, as `cp -p` and archives do it; the system sets this
    /// one by its clock.
    public var changed = Duration.zero
}

extension FileStamp {
    /// Reads the current state of a file, following links; nil if the file can't be found.
    public init?(ofFile path: String) {
        guard let status = FileStatus(ofFile: path) else { return nil }
        self = status.stamp
    }
}

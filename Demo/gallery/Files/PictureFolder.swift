internal import CGallery
internal import Glibc

/// The folder whose pictures are shown, and the only way to what lies beneath it.
///
/// Whatever links, `..` or mounts of other places are on the way, the kernel opens nothing that
/// lies outside (`openat2`, Linux 5.6). Calls may wait for a slow disk: they're for workers.
///
/// ```swift
/// let folder = try PictureFolder("/srv/pictures")
/// let length = try folder.open(path).facts.byteCount
/// ```
public final class PictureFolder: Sendable {
    private let descriptor: Int32

    /// Opens a folder, which may itself be named by a link.
    ///
    /// - Throws: What the system says if it isn't there, or isn't a folder, or if the kernel can't
    ///   keep to it.
    public init(_ path: String) throws(FileError) {
        descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open", errno: errno) }
        // What would fail at each file had better fail here.
        _ = try OpenFile(beneath: descriptor, ".", O_RDONLY | O_DIRECTORY)
    }

    deinit {
        close(descriptor)
    }

    /// Opens a file to be read, never waiting for what is under its name.
    ///
    /// - Throws: What the system says: `EXDEV` for what leads out of the folder.
    public func open(_ path: FilePath) throws(FileError) -> OpenFile {
        // A folder's own name is empty.
        let name = path == .root ? [UInt8(ascii: ".")] : path.bytes
        return try OpenFile(
            beneath: descriptor, name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    }

    /// Opens a folder to be listed; one that a link stands for isn't.
    ///
    /// - Throws: What the system says: `ENOTDIR` for what is no folder.
    public func openFolder(_ path: FilePath) throws(FileError) -> OpenFile {
        let name = path == .root ? [UInt8(ascii: ".")] : path.bytes
        return try OpenFile(beneath: descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    }

    /// Returns the facts of a file, links followed as long as they don't lead out; it isn't opened.
    ///
    /// - Throws: What the system says: `EXDEV` for what leads out of the folder.
    public func facts(of path: FilePath) throws(FileError) -> FileFacts {
        let name = path == .root ? [UInt8(ascii: ".")] : path.bytes
        return try OpenFile(beneath: descriptor, name, gallery_path_only).facts
    }
}

internal import CGallery
internal import Glibc

/// The folder whose pictures are shown, and the only access to its content.
///
/// Whatever links, `..` or mounts are in a path, the kernel opens nothing outside the folder
/// (`openat2`, Linux 5.6). Calls may wait for a slow disk, so they belong on workers.
///
/// ```swift
/// let folder = try PictureFolder("/srv/pictures")
/// let length = try folder.open(path).facts.byteCount
/// ```
public final class PictureFolder: Sendable {
    private let folder: FileDescriptor

    /// Opens a folder, whose path may itself be a link.
    ///
    /// - Throws: The system's error if it doesn't exist, or isn't a folder, or if the kernel can't
    ///   restrict access to it.
    public init(_ path: String) throws(FileError) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open", errno: errno) }
        folder = FileDescriptor(owning: descriptor)
        // An error that each file would have is reported here.
        _ = try OpenFile(beneath: descriptor, ".", O_RDONLY | O_DIRECTORY)
    }

    /// Opens a file for reading, without blocking on FIFOs or devices.
    ///
    /// - Throws: The system's error: `EXDEV` for a path out of the folder.
    public func open(_ path: FilePath) throws(FileError) -> OpenFile {
        try open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    }

    /// Opens a folder for listing; a link to one isn't followed.
    ///
    /// - Throws: The system's error: `ENOTDIR` if it isn't a folder.
    public func openFolder(_ path: FilePath) throws(FileError) -> OpenFile {
        try open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    }

    /// Returns the facts of a file without opening it, following links inside the folder.
    ///
    /// - Throws: The system's error: `EXDEV` for a path out of the folder.
    public func facts(of path: FilePath) throws(FileError) -> FileFacts {
        try open(path, gallery_path_only).facts
    }

    private func open(_ path: FilePath, _ flags: Int32) throws(FileError) -> OpenFile {
        // The folder's own path is empty.
        let name = path == .root ? [UInt8(ascii: ".")] : path.bytes
        return try OpenFile(beneath: folder.number, name, flags)
    }
}

internal import GalleryFiles
internal import Glibc

/// The file of a unix socket that this process created.
struct SocketFile {
    /// The mode, which permits the owner and the group.
    static let mode: mode_t = 0o660

    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Creates a reference to the socket that exists now.
    init?(_ path: String) {
        guard let status = Self.status(of: path) else { return nil }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }

    /// Removes the file, unless another server has replaced it.
    func remove() {
        guard let status = Self.status(of: path), status.st_dev == device, status.st_ino == inode
        else { return }
        unsafe unlink(path)
    }

    /// Removes a socket on which nobody listens any more, such as that of a killed process.
    static func removeStale(at path: String, _ name: SocketName) throws(WebError) {
        guard let status = status(of: path) else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        let visitor = try ListeningSocket.open(AF_UNIX)
        // A socket that accepts, or has a full backlog, is in use; only a refused connection shows
        // that it isn't.
        guard unsafe name.withPointer({ unsafe connect(visitor.number, $0, $1) }) != 0,
            errno == ECONNREFUSED
        else {
            throw .inUse(path: path)
        }
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw .system(call: "unlink", errno: errno)
        }
    }

    private static func status(of path: String) -> stat? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? status : nil
    }
}

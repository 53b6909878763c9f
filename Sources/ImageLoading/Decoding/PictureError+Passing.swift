internal import Glibc

extension PictureError.Reason {
    /// Whether the same file may give a picture in a while, though nobody changes it: there was a
    /// want of something, or a disk or server failed.
    ///
    /// What isn't there, isn't allowed or isn't a picture stays so until somebody does something.
    public var mayPass: Bool {
        switch self {
        case .cannotOpen(let errno), .cannotRead(let errno):
            [
                EMFILE, ENFILE, EIO, ENOMEM, ESTALE, EAGAIN, EINTR, ENOBUFS,
                // What a file system says whose server or daemon has gone.
                ENOTCONN, ETIMEDOUT, EHOSTDOWN,
            ].contains(errno)
        case .outOfMemory, .changedWhileRead: true
        default: false
        }
    }

    /// There is no such file.
    public static let missing = PictureError.Reason.cannotOpen(errno: ENOENT)
    /// Another program, or an earlier run, has noted that the file gives no picture.
    static let knownFailure = PictureError.Reason.corrupt("known to give no picture")

    /// Whether it's the content of the file, which no other limits or decoders would make a picture.
    var isOfFile: Bool {
        switch self {
        case .empty, .truncated, .corrupt: true
        default: false
        }
    }

    /// Whether the file isn't there, which is as cheap to see as to remember.
    var isMissing: Bool { self == .missing }

    /// Whether somebody should look what is there now.
    public var isOutdated: Bool {
        [.missing, .replaced, .changedWhileRead].contains(self)
    }
}

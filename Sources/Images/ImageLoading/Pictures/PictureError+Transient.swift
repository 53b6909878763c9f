internal import LullLibC

extension PictureError.Reason {
    /// Whether the error is transient: the same file, unchanged, may give a picture later.
    ///
    /// A lack of resources and a failure of a disk or server are transient. A file that is missing,
    /// isn't permitted or isn't a picture stays so until somebody changes that.
    public var isTransient: Bool {
        switch self {
        case .cannotOpen(let errno), .cannotRead(let errno):
            [
                EMFILE, ENFILE, EIO, ENOMEM, ESTALE, EAGAIN, EINTR, ENOBUFS,
                // Errors of a file system whose server or daemon is gone.
                ENOTCONN, ETIMEDOUT, EHOSTDOWN,
            ].contains(errno)
        case .outOfMemory, .changedWhileRead: true
        default: false
        }
    }

    /// The reason for a file that doesn't exist.
    public static let missing = PictureError.Reason.cannotOpen(errno: ENOENT)
    /// The reason for a file that another program or an earlier run recorded as giving no picture.
    package static let knownFailure = PictureError.Reason.corrupt("known to give no picture")

    /// Whether the file's content is at fault, so that no other limits or decoders would help.
    package var isOfFile: Bool {
        switch self {
        case .empty, .truncated, .corrupt: true
        default: false
        }
    }

    /// Whether a picture can be shown without an optional part that has this error.
    package var isOfPart: Bool {
        if case .unsupported = self { true } else { isOfFile }
    }

    /// Whether the file doesn't exist, which is as cheap to check as to cache.
    var isMissing: Bool { self == .missing }

    /// Whether the file should be looked up again, as it has been removed, replaced or changed.
    public var isOutdated: Bool {
        [.missing, .replaced, .changedWhileRead].contains(self)
    }
}

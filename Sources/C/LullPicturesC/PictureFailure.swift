internal import CLullPictures
internal import IdleLoop
internal import ImageLoading
internal import IsolatedDecoding
internal import LullLibC

/// The reason why there is no picture, as C is told of it.
struct PictureFailure: Error, Sendable {
    let code: lull_picture_error
    /// The system's error; 0 if it has none.
    var systemError: Int32 = 0
    var isTransient = false
    let text: String

    /// The pictures were closed.
    static let closed = PictureFailure(code: LULL_PICTURE_REFUSED, text: "the pictures were closed")
    /// The helpers' thread has too much to do.
    static let noHelper = PictureFailure(
        code: LULL_PICTURE_NO_HELPER, isTransient: true, text: "too many pictures wait for helpers")
    /// The request has joined a job that the program has in the queue of pictures.
    static let joined = PictureFailure(
        code: LULL_PICTURE_REFUSED, text: "the key is that of another job in the queue")
    /// There is no handle or no memory left, or the job was lost in a fork.
    static let noMemory = PictureFailure(
        code: LULL_PICTURE_NO_MEMORY, isTransient: true,
        text: "there is no memory, or no handle left")
}

extension PictureFailure {
    init(_ error: PictureError) {
        let code: lull_picture_error
        var systemError: Int32 = 0
        switch error.reason {
        case .cannotOpen(let errno): (code, systemError) = (LULL_PICTURE_CANNOT_OPEN, errno)
        case .cannotRead(let errno): (code, systemError) = (LULL_PICTURE_CANNOT_READ, errno)
        case .notARegularFile: code = LULL_PICTURE_NOT_A_FILE
        case .empty: code = LULL_PICTURE_EMPTY
        case .tooLarge: code = LULL_PICTURE_TOO_LARGE
        case .tooSlow: code = LULL_PICTURE_TOO_SLOW
        case .unsupported: code = LULL_PICTURE_UNSUPPORTED
        case .truncated: code = LULL_PICTURE_TRUNCATED
        case .corrupt: code = LULL_PICTURE_CORRUPT
        case .changedWhileRead, .replaced: code = LULL_PICTURE_CHANGED
        case .outOfMemory: code = LULL_PICTURE_NO_MEMORY
        }
        self.init(
            code: code, systemError: systemError, isTransient: error.reason.isTransient,
            text: error.file.isEmpty ? "\(error.reason)" : "\(error)")
    }

    init(_ error: IsolatedError) {
        switch error {
        case .picture(let error): self.init(error)
        case .helper:
            self.init(code: LULL_PICTURE_HELPER_FAILED, text: "\(error)")
        case .noHelper, .tooMany:
            self.init(code: LULL_PICTURE_NO_HELPER, isTransient: true, text: "\(error)")
        case .system(let failure):
            var code: Int32 = 0
            if case .system(_, let errno) = failure { code = errno }
            self.init(
                code: LULL_PICTURE_NO_HELPER, systemError: code, isTransient: true,
                text: "\(error)")
        case .closed: self = .closed
        }
    }
}

/// Returns an error as a few words; see lull-pictures.h.
@c @implementation
public func lull_picture_error_text(_ error: Int32) -> UnsafePointer<CChar>! {
    let text: StaticString =
        switch lull_picture_error(UInt32(bitPattern: error)) {
        case LULL_PICTURE_NO_ERROR: "no error"
        case LULL_PICTURE_CANNOT_OPEN: "can't be opened"
        case LULL_PICTURE_CANNOT_READ: "can't be read"
        case LULL_PICTURE_NOT_A_FILE: "not a regular file"
        case LULL_PICTURE_EMPTY: "empty"
        case LULL_PICTURE_TOO_LARGE: "too large"
        case LULL_PICTURE_TOO_SLOW: "takes too long to decode"
        case LULL_PICTURE_UNSUPPORTED: "format not supported"
        case LULL_PICTURE_TRUNCATED: "truncated"
        case LULL_PICTURE_CORRUPT: "corrupt"
        case LULL_PICTURE_CHANGED: "changed while it was read"
        case LULL_PICTURE_NO_MEMORY: "no memory or no handle left"
        case LULL_PICTURE_HELPER_FAILED: "the helper process failed"
        case LULL_PICTURE_NO_HELPER: "no helper process"
        case LULL_PICTURE_REFUSED: "refused, or the pictures were closed"
        default: "no picture error"
        }
    return unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

internal import GalleryFiles
internal import GalleryWeb
internal import Glibc
internal import ImageLoading

/// The reason why a program can't start, as a message for people.
///
/// ```swift
/// let folder = try StartFailure.naming(path) { try PictureFolder(path) }
/// ```
public struct StartFailure: Error, CustomStringConvertible {
    /// The path or address that caused the error.
    public let subject: String
    /// The error.
    public let error: any Error

    /// The subject and the reason: `/srv/pictures: No such file or directory (open)`.
    public var description: String { "\(subject): \(Self.reason(of: error))" }

    /// The exit status of a program that can't start, as in sysexits.h.
    public var exitStatus: Int32 {
        switch error {
        case FileError.system(_, EACCES), FileError.system(_, EPERM), WebError.system(_, EACCES),
            WebError.system(_, EPERM):
            77  // EX_NOPERM
        case FileError.system(_, ENOENT), FileError.system(_, ENOTDIR): 66  // EX_NOINPUT
        case is WebError: 69  // EX_UNAVAILABLE
        default: 71  // EX_OSERR
        }
    }

    /// Runs `body`, and adds the subject to any error that it throws.
    public static func naming<Result>(
        _ subject: String, _ body: () throws -> Result
    ) throws(StartFailure) -> Result {
        do {
            return try body()
        } catch {
            throw StartFailure(subject: subject, error: error)
        }
    }

    /// Returns the reason for an error, in the system's words if the error is the system's.
    public static func reason(of error: any Error) -> String {
        switch error {
        case FileError.system("openat2", ENOSYS): "Linux 5.6 or later is needed (openat2)"
        case FileError.system(let call, let number), WebError.system(let call, let number),
            DiskCacheError.system(let call, let number):
            unsafe "\(String(cString: strerror(number))) (\(call))"
        default: "\(error)"
        }
    }
}

import Glibc
import ImageLoading

/// A picture file on the command line, with a path that Swift can represent.
///
/// A file name may be any bytes. If they aren't valid text, Swift's string is another name; then
/// the file is opened by its bytes, and its path is that of its descriptor.
struct PictureArgument: ~Copyable {
    /// A path to the file that is valid as long as this value exists.
    let path: String
    private let descriptor: Int32?

    /// Finds the file of an argument.
    init(_ argument: String) throws(PictureError) {
        guard let name = PictureArgument.bytes(of: argument) else {
            path = argument
            descriptor = nil
            return
        }
        let number = unsafe open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else {
            throw PictureError(file: argument, reason: .cannotOpen(errno: errno))
        }
        path = "/proc/self/fd/\(number)"
        descriptor = number
    }

    deinit { if let descriptor { close(descriptor) } }

    /// Returns the argument's bytes if they aren't valid text; otherwise nil.
    private static func bytes(of argument: String) -> [CChar]? {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return nil }
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = unsafe CommandLine.unsafeArgv[index] else { continue }
            let bytes = unsafe Array(UnsafeBufferPointer(start: word, count: strlen(word)))
            let raw = bytes.map { UInt8(truncatingIfNeeded: $0) }
            let text = String(decoding: raw, as: UTF8.self)
            // A text that contains U+FFFD itself is a valid name.
            guard text == argument, !text.utf8.elementsEqual(raw) else { continue }
            return bytes + [0]
        }
        return nil
    }
}

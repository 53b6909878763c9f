import Glibc
import ImageLoading

/// A picture file as the command line names it, under a name that Swift can say.
///
/// A file's name is any bytes. Where they are no text, what Swift makes of them is another name;
/// then the file is opened by its bytes, and named by its descriptor.
struct PictureArgument: ~Copyable {
    /// A path that leads to the file as long as this is kept.
    let path: String
    private let descriptor: Int32?

    /// Finds the file that an argument stands for.
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

    /// Returns the argument's own bytes, if they are no text; nil if they are.
    private static func bytes(of argument: String) -> [CChar]? {
        guard argument.unicodeScalars.contains("\u{FFFD}") else { return nil }
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = unsafe CommandLine.unsafeArgv[index] else { continue }
            let bytes = unsafe Array(UnsafeBufferPointer(start: word, count: strlen(word)))
            let text = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            // Text that says U+FFFD itself is its own name.
            guard text == argument, !text.utf8.elementsEqual(bytes.map { UInt8(bitPattern: $0) })
            else { continue }
            return bytes + [0]
        }
        return nil
    }
}

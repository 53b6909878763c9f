import ArgumentParser
import Foundation

/// A file that is replaced as a whole: until all is written, the old content stays.
struct OutputFile {
    /// The error that prevented writing.
    struct Failure: Error, CustomStringConvertible {
        let code: Int32
        /// Whether the file could be created, and only its content couldn't be written.
        var isOfContent = false
        /// The system's message for the error.
        var description: String { unsafe String(cString: strerror(code)) }
    }

    let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Writes a text; throws an `ExitCode` of 73 if the file can't be created, of 74 if it can't be
    /// written.
    func write(_ text: String) throws {
        do throws(Failure) {
            try write(Array(text.utf8))
        } catch {
            let failed = error.isOfContent ? "written" : "created"
            say("scroll-replay: \(path): can't be \(failed)")
            throw ExitCode(error.isOfContent ? 74 : 73)
        }
    }

    /// Writes bytes to a temporary file and renames it.
    ///
    /// A file that isn't regular, such as a terminal or a pipe, is written directly.
    func write(_ bytes: [UInt8]) throws(Failure) {
        if isSpecial { return try fill(unsafe open(path, O_WRONLY | O_CLOEXEC), with: bytes) }
        let place = URL(filePath: path).resolvingSymlinksInPath().path
        let folder = place.lastIndex(of: "/").map { String(place[...$0]) } ?? ""
        let beside = "\(folder).scroll-replay-\(getpid()).part"
        // A temporary file left by an earlier process with the same id is removed.
        unsafe unlink(beside)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
        try fill(unsafe open(beside, flags, 0o666), with: bytes, named: beside)
        guard unsafe rename(beside, place) == 0 else {
            let code = errno
            unsafe unlink(beside)
            throw Failure(code: code)
        }
    }

    /// Writes bytes to an opened file and closes it; removes it if that fails and it has a name.
    private func fill(
        _ file: Int32, with bytes: [UInt8], named name: String? = nil
    ) throws(Failure) {
        guard file >= 0 else { throw Failure(code: errno) }
        var rest = bytes[...]
        var failure: Int32?
        while !rest.isEmpty, failure == nil {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(file, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else {
                failure = count < 0 ? errno : ENOSPC
            }
        }
        if close(file) != 0, failure == nil { failure = errno }
        guard let failure else { return }
        if let name { unsafe unlink(name) }
        throw Failure(code: failure, isOfContent: true)
    }

    /// Whether the path leads to a file that isn't regular, following links.
    private var isSpecial: Bool {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0 else { return false }
        return facts.st_mode & S_IFMT != S_IFREG
    }
}

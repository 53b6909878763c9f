import Glibc
import ImageLoading
import TerminalPictures

/// A file for a thumbnail: until all is written, the old content stays.
struct ThumbnailFile {
    /// The file format of the thumbnail.
    enum Kind: String {
        case png, ppm
    }

    /// The error that prevented writing.
    struct Failure: Error, CustomStringConvertible {
        let code: Int32
        /// The system's message for the error.
        var description: String { unsafe String(cString: strerror(code)) }
    }

    let path: String
    let kind: Kind

    /// Creates a file of the format of its extension; nil if that is unknown.
    init?(_ path: String) {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex,
            let kind = Kind(rawValue: name[name.index(after: dot)...].lowercased()),
            !path.utf8.contains(0)
        else { return nil }
        self.path = path
        self.kind = kind
    }

    /// Writes a picture to a temporary file and renames it.
    func write(_ picture: Picture) throws(Failure) {
        guard let bytes = bytes(of: picture) else { throw Failure(code: ENOMEM) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let beside = "\(folder).scroll-replay-\(getpid()).part"
        // A temporary file left by an earlier process with the same id is removed.
        unsafe unlink(beside)
        let file = unsafe open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw Failure(code: errno) }
        do throws(Failure) {
            do throws(Failure) {
                try write(bytes, to: file)
            } catch {
                close(file)
                throw error
            }
            guard close(file) == 0, unsafe rename(beside, path) == 0 else {
                throw Failure(code: errno)
            }
        } catch {
            unsafe unlink(beside)
            throw error
        }
    }

    private func bytes(of picture: Picture) -> [UInt8]? {
        switch kind {
        case .png:
            guard var encoder = try? PNGEncoder(picture) else { return nil }
            var file: [UInt8] = []
            while !encoder.step(into: &file) {}
            return file
        case .ppm:
            return Array("P6\n\(picture.size.width) \(picture.size.height)\n255\n".utf8)
                + picture.opaqueBytes(over: .white)
        }
    }

    private func write(_ bytes: [UInt8], to file: Int32) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(file, bytes.baseAddress, bytes.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(code: count < 0 ? errno : ENOSPC) }
            rest = rest.dropFirst(count)
        }
    }
}

import Glibc
import ImageLoading
import Testing

@Suite struct `A file that is no picture` {
    @Test func `is refused if it is not there`() {
        #expect(reason("/nowhere/a.jpg") == .cannotOpen(errno: ENOENT))
        #expect(reason("a.jpg\0b") == .cannotOpen(errno: EINVAL))
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `is refused if it may not be read`() {
        let file = TemporaryFile([1])
        _ = unsafe chmod(file.path, 0)
        #expect(reason(file.path) == .cannotOpen(errno: EACCES))
    }

    @Test func `is refused as a pipe, at once`() {
        let file = TemporaryFile([])
        unsafe unlink(file.path)
        #expect(unsafe mkfifo(file.path, 0o600) == 0)
        #expect(reason(file.path) == .notARegularFile)
    }

    @Test func `is refused as a socket`() {
        let file = TemporaryFile([])
        unsafe unlink(file.path)
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = file.path
        unsafe withUnsafeMutableBytes(of: &address.sun_path) {
            unsafe $0.copyBytes(from: path.utf8)
        }
        let status = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bind(
                socket, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count))
        }
        #expect(status == 0)
        #expect(reason(file.path) == .notARegularFile)
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html>", "starts with \"<!DOCTYPE html><\""),
        ("GIF88a______", "starts with \"GIF88a______\""),
        ("RIFF____WAVEfmt ", "starts with \"RIFF____WAVEfmt \""),
        ("BM____________", "BMP"),
        ("____ftypavif____", "ISO media (avif)"),
        ("\0\u{1}\u{2}", "starts with 00 01 02"),
    ])
    func `is told by its content, not its name`(content: String, kind: String) {
        let file = TemporaryFile(Array(content.utf8), name: "photo.jpg")
        #expect(reason(file.path) == .unsupported(kind))
    }

    @Test func `is a picture under any name`() throws {
        let file = TemporaryFile(Sample(9, 9).rgbPNG(), name: "photo.jpg.html")
        let picture = try PictureJob(.file(file.path), fitting: .ample).decode()
        #expect(picture.size == PixelSize(width: 9, height: 9))
    }

    private func reason(_ path: String) -> PictureError.Reason? {
        do throws(PictureError) {
            _ = try PictureJob(.file(path), fitting: .ample).decode()
            return nil
        } catch {
            #expect(error.file == path)
            return error.reason
        }
    }
}

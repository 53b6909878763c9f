import GalleryFiles
import GalleryTestSupport
import Glibc

/// A folder of pictures that a test changes, there as long as this object.
final class PictureTree {
    private let files = TemporaryFolder()
    /// Makes files differ in length, so that each write is seen.
    private var writes = 0

    var path: String { files.path }

    func folder() throws -> PictureFolder { try PictureFolder(path) }

    /// Where a name is on the disk, as the system takes it.
    func place(_ name: [UInt8]) -> [CChar] {
        (Array(path.utf8) + [UInt8(ascii: "/")] + name).map { CChar(truncatingIfNeeded: $0) } + [0]
    }

    func place(_ name: String) -> [CChar] { place(Array(name.utf8)) }

    func makeFolder(_ name: String) { files.makeFolder(name) }

    /// Writes what looks like a picture of this size, to those who read no further than its header.
    func write(_ name: String, _ width: Int = 400, _ height: Int = 300) {
        write(Array(name.utf8), width, height)
    }

    func write(_ name: [UInt8], _ width: Int = 400, _ height: Int = 300) {
        writes += 1
        write(bytes: Self.header(width, height) + Array(repeating: 7, count: writes), to: name)
    }

    func write(bytes: [UInt8], to name: [UInt8]) {
        let file = unsafe open(place(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        precondition(file >= 0, "a test can write its files")
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
        close(file)
    }

    func delete(_ name: String) { files.delete(name) }

    /// Whether it went well.
    @discardableResult
    func move(_ name: String, to other: String) -> Bool {
        unsafe rename(place(name), place(other)) == 0
    }

    func link(_ name: String, to target: String) {
        _ = unsafe symlink(target, place(name))
    }

    /// Has the system tell of a change.
    func touch(_ name: String) {
        _ = unsafe utimensat(AT_FDCWD, place(name), nil, 0)
    }

    func isLink(_ name: String) -> Bool { kind(of: name) == S_IFLNK }

    func exists(_ name: String) -> Bool { kind(of: name) != nil }

    private func kind(of name: String) -> mode_t? {
        var status = stat()
        return unsafe lstat(place(name), &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// The first bytes of a PNG.
    private static func header(_ width: Int, _ height: Int) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
            + number(width) + number(height) + [8, 2, 0, 0, 0, 0, 0, 0, 0]
    }
}

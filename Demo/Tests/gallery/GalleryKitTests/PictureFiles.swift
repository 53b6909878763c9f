import GalleryFiles
import GalleryTestSupport
import Glibc
import ImageLoading

/// A folder of small pictures that a test changes, gone with this object.
final class PictureFiles {
    private let files = TemporaryFolder()
    private var writes = 0
    /// Files of pictures, by their heights.
    private var pictures: [Int: [UInt8]] = [:]

    func folder() throws -> PictureFolder { try PictureFolder(files.path) }

    func makeFolder(_ name: String) { files.makeFolder(name) }

    /// Writes a picture, which has another stamp than any before it, with so many bytes after it.
    func write(_ name: String, height: Int = 8, padding: Int = 0) throws {
        writes += 1
        let bytes = try pictures[height] ?? Self.picture(height: height)
        pictures[height] = bytes
        write(bytes + Array(repeating: 0, count: writes + padding), to: name)
    }

    static func picture(height: Int) throws -> [UInt8] {
        let size = PixelSize(width: 8, height: height)
        let pixels = (0..<4 * 8 * height).map { $0 % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: $0) }
        var encoder = try PNGEncoder(Picture(size: size, pixels: pixels))
        var bytes: [UInt8] = []
        while !encoder.step(into: &bytes) {}
        return bytes
    }

    func write(_ bytes: [UInt8], to name: String) { files.write(bytes, to: name) }

    /// Sets the time at which a file was written, in seconds since 1970.
    func setDate(of name: String, to seconds: Int) throws {
        let times = Array(repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
        let path = "\(files.path)/\(name)"
        let status = unsafe times.withUnsafeBufferPointer { times in
            unsafe utimensat(AT_FDCWD, path, times.baseAddress, 0)
        }
        guard status == 0 else { throw FileError.system(call: "utimensat", errno: errno) }
    }

    func delete(_ name: String) { files.delete(name) }
}

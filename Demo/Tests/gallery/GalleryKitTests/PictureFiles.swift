import GalleryFiles
import Glibc
import ImageLoading
import TestSupport

/// A folder of small pictures that a test changes, gone with this object.
final class PictureFiles {
    private let path = makeTemporaryFolder("gallery-kit")
    /// What may be there, folders before what is in them.
    private var places: [String] = []
    private var writes = 0
    /// Files of pictures, by their heights.
    private var pictures: [Int: [UInt8]] = [:]

    deinit {
        for place in places.reversed() { unsafe remove(place) }
        unsafe rmdir(path)
    }

    func folder() throws -> PictureFolder { try PictureFolder(path) }

    func makeFolder(_ name: String) {
        unsafe mkdir(place(name), 0o700)
    }

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

    func write(_ bytes: [UInt8], to name: String) {
        let file = unsafe fopen(place(name), "w")
        _ = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        unsafe fclose(file)
    }

    func delete(_ name: String) {
        unsafe remove("\(path)/\(name)")
    }

    private func place(_ name: String) -> String {
        let place = "\(path)/\(name)"
        places.append(place)
        return place
    }
}

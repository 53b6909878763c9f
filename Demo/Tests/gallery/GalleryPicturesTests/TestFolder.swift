import Foundation
import GalleryFiles
import GalleryTestSupport
import ImageLoading

@testable import GalleryPictures

/// A folder with a gallery's pictures and, beside them, a disk cache; gone with this object.
final class TestFolder {
    private let files = TemporaryFolder()
    let folder: PictureFolder

    init(_ files: [String: [UInt8]] = [:]) throws {
        self.files.makeFolder("pictures")
        folder = try PictureFolder(self.files.file("pictures"))
        for (name, bytes) in files { write(bytes, to: name) }
    }

    var path: String { files.path }
    var cache: String { files.file("cache") }

    func file(_ name: String) -> String { files.file("pictures/\(name)") }

    func write(_ bytes: [UInt8], to name: String) { files.write(bytes, to: "pictures/\(name)") }

    /// Puts another file in the place of one.
    func replace(_ name: String, with bytes: [UInt8]) {
        files.write(bytes, to: "next")
        unsafe rename(files.file("next"), file(name))
    }

    /// The key of a file as it is now; of one that can't be opened, with no stamp.
    func key(_ name: String, _ size: ThumbnailKind = .row) -> ThumbnailKey {
        let path = Self.name(name)
        let stamp = (try? folder.open(path).facts.stamp) ?? 0
        return ThumbnailKey(
            picture: PictureKey(id: PictureID(of: path), stamp: stamp), size: size)
    }

    /// The name of a key's entry in the disk cache.
    static func entry(of key: ThumbnailKey) -> String {
        ThumbnailDiskCache.thumbnails(in: "/").name(of: key.text)
    }

    /// The contents of the disk cache, in order.
    var entries: [String] { Self.names(in: cache).sorted() }

    static func name(_ text: String) -> FilePath {
        guard let path = FilePath(Array(text.utf8)) else {
            preconditionFailure("a test names its files well")
        }
        return path
    }

    /// The names in a folder, in no order; none if it isn't there.
    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}

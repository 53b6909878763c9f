import GalleryFiles
import Glibc
import ImageLoading
import TestSupport

@testable import GalleryPictures

/// A folder with a gallery's pictures and, beside them, a disk cache; gone with this object.
final class TestFolder {
    let path = makeTemporaryFolder("gallery-pictures")
    let folder: PictureFolder

    init(_ files: [String: [UInt8]] = [:]) throws {
        unsafe mkdir("\(path)/pictures", 0o700)
        folder = try PictureFolder("\(path)/pictures")
        for (name, bytes) in files { write(bytes, to: name) }
    }

    deinit { Self.remove(path) }

    var cache: String { "\(path)/cache" }

    func file(_ name: String) -> String { "\(path)/pictures/\(name)" }

    func write(_ bytes: [UInt8], to name: String) { Self.write(bytes, to: file(name)) }

    /// Puts another file in the place of one.
    func replace(_ name: String, with bytes: [UInt8]) {
        Self.write(bytes, to: "\(path)/next")
        unsafe rename("\(path)/next", file(name))
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
        ThumbnailDiskCache(in: "/").layout.path(of: key)
    }

    /// The contents of the disk cache, in order.
    var entries: [String] { Self.names(in: cache).sorted() }

    static func name(_ text: String) -> FilePath {
        guard let path = FilePath(Array(text.utf8)) else {
            preconditionFailure("a test names its files well")
        }
        return path
    }

    static func write(_ bytes: [UInt8], to path: String) {
        let file = unsafe fopen(path, "w")
        _ = unsafe bytes.withUnsafeBytes { unsafe fwrite($0.baseAddress, 1, $0.count, file) }
        unsafe fclose(file)
    }

    static func read(_ path: String) -> [UInt8] {
        guard let file = unsafe fopen(path, "r") else { return [] }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func remove(_ path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unsafe unlink(path)
            return
        }
        for name in names(in: path) { remove("\(path)/\(name)") }
        unsafe rmdir(path)
    }
}

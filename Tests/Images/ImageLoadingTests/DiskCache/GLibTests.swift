import Glibc
@testable import ImageLoading
import Testing

@Suite(.enabled(if: GLib.isInstalled, "Debian has gio in libglib2.0-bin"))
struct `A thumbnail as GLib sees it` {
    let folder = CacheFolder()
    static let names = [
        "plain.jpg", "a b.jpg", "a;b#c?d%41&e=f.jpg", "é 日本.jpg", "a\nb\t.jpg", "<>[]{}|\\^`\".jpg",
        "!$'()*+,:@~_-.jpg", ".hidden", String(repeating: "x", count: 255),
    ]

    @Test(arguments: [128, 1024])
    func `is valid under every name and in every size`(side: Int) throws {
        let cache = folder.cache()
        let files = Self.names.map { folder.write($0, Array($0.utf8)) }
        let picture = Picture.noise(side, 6)
        let original = PixelSize(width: 4 * side, height: 24)
        for file in files {
            #expect(try cache.store(picture, of: file, original: original))
        }
        let found = try GLib.thumbnails(of: files, cacheHome: "\(folder.path)/cache")
        #expect(found.map { $0["is-valid"] } == files.map { _ in "TRUE" })
        for (thumbnail, file) in zip(found, files) {
            let path = try #require(thumbnail["path"])
            #expect(cache.find(file, side) == .file(path))
        }
    }

    @Test func `is not there for a failure, whose folder is this package's own`() throws {
        let file = folder.write("a.jpg", [1])
        folder.cache().recordFailure(of: file, try #require(FileStamp(ofFile: file)))
        let found = try GLib.thumbnails(of: [file], cacheHome: "\(folder.path)/cache")
        #expect(found.count == 1 && found[0]["path"] == nil && found[0]["is-valid"] == nil)
    }
}

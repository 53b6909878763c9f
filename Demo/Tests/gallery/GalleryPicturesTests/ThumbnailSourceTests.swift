import DeferredLoading
import GalleryFiles
import GalleryTestSupport
import Glibc
import IdleLoop
import ImageLoading
import TestSupport
import Testing

@testable import GalleryPictures

@Suite struct `A source of thumbnails` {
    private static func folder() throws -> TestFolder {
        try TestFolder([
            "photo.jpg": Picture.shades(480, 360).jpeg(),
            "small.jpg": Picture.shades(60, 40).jpeg(),
            "glass.png": Picture.shades(200, 100, alpha: 100).png(),
            "webp.webp": Picture.shades(400, 320).losslessWebP(),
            "text.jpg": Array("This is no picture.".utf8),
            "empty.jpg": [],
            "cut.jpg": Array(Picture.shades(300, 200).jpeg().prefix(700)),
        ])
    }

    @Test(arguments: ThumbnailKind.allCases)
    func `gives what is made in one go`(size: ThumbnailKind) throws {
        let bench = try ThumbnailBench(Self.folder())
        for name in ["photo.jpg", "small.jpg", "glass.png", "webp.webp"] {
            let key = bench.key(name, size)
            let thumbnail = try #require(try bench.load(key))
            #expect(try bench.source.value(of: key) == thumbnail)
            let path = bench.folder.file(name)
            let picture = try PictureJob(.file(path), fitting: size.targetSize).decode()
            #expect(try decoded(thumbnail.bytes).size == picture.size)
            let encoder = ThumbnailEncoder(picture, hasPreview: size == .row)
            #expect(try encoder.finish() == thumbnail)
            #expect((thumbnail.preview != nil) == (size == .row))
        }
    }

    @Test func `finds the next day what it made`() throws {
        let folder = try Self.folder()
        let names = ["photo.jpg", "glass.png", "webp.webp"]
        let first = try ThumbnailBench(folder, hasCache: true)
        let keys = names.map { first.key($0) }
        let made = try keys.map { try first.load($0) }
        #expect(first.done.decodedInSlices == 2 && first.done.decodedOnWorkers == 1)
        #expect(folder.entries == keys.map(TestFolder.entry(of:)).sorted())
        let second = try ThumbnailBench(folder, hasCache: true)
        for name in names { _ = second.key(name) }
        #expect(try keys.map { try second.load($0) } == made)
        #expect(second.done.foundInStore == 3 && second.steps == 0)
        // What is damaged there is made again.
        TemporaryFolder.write([1, 2, 3], to: "\(folder.cache)/\(TestFolder.entry(of: keys[0]))")
        let third = try ThumbnailBench(folder, hasCache: true)
        _ = third.key(names[0])
        #expect(try third.load(keys[0]) == made[0])
        #expect(third.done.decodedInSlices == 1)
        #expect(folder.entries == keys.map(TestFolder.entry(of:)).sorted())
    }

    @Test(arguments: [false, true])
    func `tells once that nothing can be kept, and once that it's kept again`(
        usesWorkersOnly: Bool
    ) throws {
        let folder = try TestFolder()
        let time = TestTime(1_700_000_000)
        let cache = ThumbnailDiskCache.thumbnails(in: folder.cache) { time.now }
        let bench = try ThumbnailBench(
            folder, cache: cache, decoding: usesWorkersOnly ? .workers : .inProcess)
        var made = 0
        func makeOne() throws {
            made += 1
            folder.write(try Picture.shades(40 + made, 40).jpeg(), to: "\(made).jpg")
            let key = bench.key("\(made).jpg")
            #expect(try bench.load(key) != nil)
        }
        try makeOne()
        #expect(folder.entries.count == 1 && bench.failures.isEmpty)
        let error = DiskCacheError.system(call: "open", errno: ENOTDIR)
        for count in 1...2 {
            unsafe rename(folder.cache, "\(folder.path)/before")
            TemporaryFolder.write([], to: folder.cache)
            for _ in 0..<3 {
                try makeOne()
                try makeOne()
                time.advance(by: 60)
            }
            #expect(bench.failures.map(\.error) == Array(repeating: error, count: count))
            #expect(bench.failures.allSatisfy { $0.folder == folder.cache })
            #expect(bench.endedFailures.count == count - 1)
            #expect(cache.failures == 3 * count)
            unsafe unlink(folder.cache)
            unsafe rename("\(folder.path)/before", folder.cache)
            for _ in 0..<2 { try makeOne() }
            #expect(bench.endedFailures == bench.failures)
            #expect(folder.entries.count == 1 + 2 * count)
        }
    }

    @Test func `tells when it starts that nothing can be kept`() throws {
        let folder = try TestFolder()
        TemporaryFolder.write([], to: folder.cache)
        let bench = try ThumbnailBench(folder, hasCache: true)
        try bench.run()
        #expect(bench.failures.map(\.error) == [.system(call: "open", errno: ENOTDIR)])
        #expect(bench.endedFailures.isEmpty)
    }

    // MARK: - Files that change

    @Test func `gives nothing for a file that was replaced, and tells of it, once`() throws {
        let bench = try ThumbnailBench(Self.folder())
        let old = bench.key("photo.jpg")
        bench.folder.replace("photo.jpg", with: try Picture.shades(90, 90).jpeg())
        #expect(try bench.failure(old) == .replaced)
        #expect(bench.changed == [old.picture])
        let new = bench.key("photo.jpg")
        #expect(new != old)
        let shown = try #require(try bench.load(new))
        #expect(try decoded(shown.bytes).size == PixelSize(width: 90, height: 90))
        #expect(bench.changed == [old.picture] && bench.done.outdated == 1)
    }

    @Test(arguments: ["written", "replaced"])
    func `has another key for another file of the same length and times`(way: String) throws {
        let folder = try TestFolder(["a.jpg": [1, 2, 3]])
        let times = [timespec](repeating: timespec(tv_sec: 1_700_000_000, tv_nsec: 0), count: 2)
        unsafe utimensat(AT_FDCWD, folder.file("a.jpg"), times, 0)
        let old = folder.key("a.jpg")
        // The clock of files is coarse.
        for _ in 0..<100_000 where folder.key("a.jpg") == old {
            if way == "written" {
                folder.write([4, 5, 6], to: "a.jpg")
            } else {
                folder.replace("a.jpg", with: [4, 5, 6])
            }
            unsafe utimensat(AT_FDCWD, folder.file("a.jpg"), times, 0)
        }
        #expect(folder.key("a.jpg") != old)
        #expect(folder.key("a.jpg").picture.id == old.picture.id)
    }

    @Test func `gives nothing for a file that is gone, or that nobody knows`() throws {
        let bench = try ThumbnailBench(Self.folder())
        let key = bench.key("photo.jpg")
        unsafe unlink(bench.folder.file("photo.jpg"))
        #expect(try bench.failure(key) == .missing)
        #expect(bench.changed == [key.picture])
        #expect(try bench.failure(bench.folder.key("small.jpg")) == .missing)
        #expect(throws: PictureError.self) {
            try bench.source.value(of: bench.folder.key("small.jpg"))
        }
    }

    // MARK: - Failures

    @Test func `refuses what is no file of pictures, without waiting for it`() throws {
        let bench = try ThumbnailBench(Self.folder())
        let folder = bench.folder
        unsafe mkfifo(folder.file("pipe.jpg"), 0o600)
        unsafe mkdir(folder.file("folder.jpg"), 0o700)
        unsafe symlink("/etc/passwd", folder.file("out.jpg"))
        unsafe symlink("../cache", folder.file("up.jpg"))
        unsafe symlink("loop.jpg", folder.file("loop.jpg"))
        folder.write([1], to: "huge.jpg")
        unsafe truncate(folder.file("huge.jpg"), 10 << 30)
        let expected: [(String, PictureError.Reason)] = [
            ("pipe.jpg", .notARegularFile), ("folder.jpg", .notARegularFile),
            ("out.jpg", .cannotOpen(errno: EXDEV)), ("up.jpg", .cannotOpen(errno: EXDEV)),
            ("loop.jpg", .cannotOpen(errno: ELOOP)),
            ("huge.jpg", .tooLarge(.bytes, found: 10 << 30, limit: 32 << 20)),
        ]
        for (name, reason) in expected {
            #expect(try bench.failure(bench.key(name)) == reason, "\(name)")
        }
    }
}

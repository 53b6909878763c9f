import Glibc
import Testing

@testable import ImageLoading

@Suite struct `A thumbnail being written` {
    let folder = CacheFolder()
    let picture = Picture.noise(256, 64)

    private func writer(_ cache: ThumbnailCache, of file: String) throws -> any SteppedWork<
        Void, any Error
    > {
        let stamp = try #require(FileStamp(ofFile: file))
        let header = PictureHeader(
            format: .png, size: PixelSize(width: 2048, height: 512),
            fileBytes: 1, channels: 3, bytesPerSample: 1)
        return try #require(
            cache.writer(of: picture, from: file, stamp, header: header))
    }

    @Test func `touches nothing before its first step`() throws {
        _ = try writer(folder.cache(), of: folder.write("a.jpg", [1]))
        #expect(unsafe access(folder.root, F_OK) != 0)
    }

    @Test func `leaves nothing behind, after whatever step it is dropped`() throws {
        let file = folder.write("a.jpg", [1])
        var isDone = false
        var steps = 0
        while !isDone {
            steps += 1
            let writer = try writer(folder.cache(), of: file)
            for _ in 0..<steps where !isDone { isDone = try writer.advance() != nil }
            let temporary = folder.entries.filter { $0.hasSuffix(".tmp") }
            #expect(temporary.count <= 1)
        }
        // One to create the file, one for its head, one for 16 rows each, then the end, the name,
        // and the maintenance of five folders.
        #expect(steps > 1 + 1 + 4 + 1 + 1)
        #expect(folder.entries.count == 1)
        #expect(folder.entries[0].hasPrefix("large/"))
    }

    @Test func `does not appear if its file has changed meanwhile`() throws {
        let file = folder.write("a.jpg", [1])
        let writer = try writer(folder.cache(), of: file)
        for _ in 0..<5 { #expect(try writer.advance() == nil) }
        folder.write("a.jpg", [2], at: CacheFolder.written + 1)
        _ = try writer.finish()
        #expect(folder.entries == [])
    }

    @Test func `does not appear if its file has gone meanwhile`() throws {
        let file = folder.write("a.jpg", [1])
        let writer = try writer(folder.cache(), of: file)
        for _ in 0..<5 { #expect(try writer.advance() == nil) }
        unsafe unlink(file)
        _ = try writer.finish()
        #expect(folder.entries == [])
    }

    @Test func `fails where there can be no folder, and then nothing is tried for a minute`() throws
    {
        let file = folder.write("a.jpg", [1])
        let blocker = folder.write("cache", [])
        let cache = folder.cache()
        let writer = try writer(cache, of: file)
        #expect(throws: DiskCacheError.system(call: "open", errno: ENOTDIR)) {
            try writer.advance() != nil
        }
        unsafe unlink(blocker)
        folder.now += .seconds(59)
        #expect(try !cache.store(.plain(9, 9), of: file))
        folder.now += .seconds(1)
        #expect(try cache.store(.plain(9, 9), of: file))
        #expect(folder.entries.count == 1)
    }

    @Test func `is not held up by a clock that goes back`() throws {
        let file = folder.write("a.jpg", [1])
        let blocker = folder.write("cache", [])
        let cache = folder.cache()
        #expect(throws: DiskCacheError.self) { try cache.store(.plain(9, 9), of: file) }
        unsafe unlink(blocker)
        folder.now -= .seconds(50)
        #expect(try cache.store(.plain(9, 9), of: file))
    }

    @Test func `fails where a folder has its name`() throws {
        let file = folder.write("a.jpg", [1])
        let name = try #require(FileURI(file: file)).thumbnailName
        folder.write("cache/thumbnails/normal/\(name)/x", [])
        #expect(throws: DiskCacheError.system(call: "rename", errno: EISDIR)) {
            try folder.cache().store(.plain(9, 9), of: file)
        }
        #expect(folder.entries == ["normal/\(name)/x"])
    }

    @Test func `fails without a trace where no file may be longer, and harms nothing else`() async {
        await #expect(processExitsWith: .success) {
            let folder = CacheFolder()
            let file = folder.write("a.jpg", [1])
            let cache = folder.cache()
            try cache.store(.plain(9, 9), of: file)
            let small = folder.entries
            signal(SIGXFSZ, SIG_IGN)
            let large = PixelSize(width: 2560, height: 640)
            withLimit(RLIMIT_FSIZE, 8192) {
                #expect(throws: DiskCacheError.system(call: "write", errno: EFBIG)) {
                    try cache.store(.noise(256, 64), of: file, original: large)
                }
            }
            #expect(folder.entries == small)
            #expect(cache.find(file, 9) != .none)
        }
    }

    @Test func `fails without a trace where no file can be opened`() async {
        await #expect(processExitsWith: .success) {
            let folder = CacheFolder()
            let file = folder.write("a.jpg", [1])
            let cache = folder.cache()
            try cache.store(.plain(9, 9), of: file)
            let stamp = try #require(FileStamp(ofFile: file))
            withLimit(RLIMIT_NOFILE, 0) {
                #expect(cache.find(file, 9) == .none)
                #expect(throws: DiskCacheError.system(call: "open", errno: EMFILE)) {
                    try cache.store(.plain(9, 9), of: file)
                }
                cache.recordFailure(of: file, stamp)
            }
            #expect(cache.find(file, 9) != .none)
            #expect(folder.entries.count == 1)
        }
    }

    @Test func `does nothing in a step after its last`() throws {
        let file = folder.write("a.jpg", [1])
        let stamp = try #require(FileStamp(ofFile: file))
        let header = PictureHeader(
            format: .gif, size: PixelSize(width: 9, height: 9), fileBytes: 1, channels: 1,
            bytesPerSample: 1)
        let writer = try #require(
            folder.cache().writer(of: .plain(9, 9), from: file, stamp, header: header))
        _ = try writer.finish()
        let entries = folder.entries
        #expect(try writer.advance() != nil)
        #expect(folder.entries == entries)
    }
}

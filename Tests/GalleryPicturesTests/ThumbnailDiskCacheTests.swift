import GalleryFiles
import Glibc
import IdleLoop
import ImageLoading
import TestSupport
import Testing

@testable import GalleryPictures

@Suite struct `A disk cache of thumbnails` {
    static let start = 1_700_000_000

    let time = TestTime(start)
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func cache(_ bound: GalleryPictures.DiskCacheBound = GalleryPictures.DiskCacheBound())
        -> ThumbnailDiskCache
    {
        ThumbnailDiskCache(in: folder.cache, bound: bound) { [time] in time.now }
    }

    private func key(_ number: Int, _ size: ThumbnailKind = .row) -> ThumbnailKey {
        ThumbnailKey(
            picture: PictureKey(id: PictureID(UInt64(number)), stamp: 7), size: size)
    }

    private func path(_ number: Int) -> String { "\(folder.cache)/\(key(number).text)" }

    private func thumbnail(_ length: Int, _ format: Thumbnail.Format = .jpeg) -> Thumbnail {
        Thumbnail(
            (0..<length).map { UInt8(truncatingIfNeeded: $0) }, format,
            PixelSize(width: 384, height: 17))
    }

    @Test func `of thumbnails that wait for the disk cache the newest are kept`() throws {
        let loop = try MainLoop(clock: .virtual(VirtualTime()))
        defer { loop.close() }
        let pool = try WorkerPool(width: 1, on: loop)
        let cache = cache()
        let upkeep = GalleryPictures.DiskCacheUpkeep(of: cache, on: loop, pool: pool)
        try loop.run(until: loop.clock.now.advanced(by: .seconds(1)))
        for number in 0..<100 { upkeep.store(thumbnail(10), for: key(number)) }
        try loop.run(until: loop.clock.now.advanced(by: .seconds(1)))
        let kept = (0..<100).filter { cache.find(key($0)) != nil }
        // A worker may have begun one before there were too many.
        #expect(kept.suffix(31) == Array(69..<100)[...])
        #expect(kept.count <= 33)
        upkeep.close()
    }

    @Test func `gives back what was put there, and nothing else`() {
        let cache = cache()
        #expect(cache.find(key(1)) == nil)
        cache.store(thumbnail(100), for: key(1))
        cache.store(thumbnail(90_000, .png), for: key(1, .view))
        #expect(cache.find(key(1)) == thumbnail(100))
        #expect(cache.find(key(1, .view)) == thumbnail(90_000, .png))
        #expect(cache.find(key(2)) == nil)
        cache.store(thumbnail(Thumbnail.byteLimit), for: key(1))
        #expect(self.cache().find(key(1)) == thumbnail(Thumbnail.byteLimit))
        #expect(folder.entries == [key(1), key(1, .view)].map(\.text).sorted())
    }

    @Test func `takes what was damaged anywhere for absent, and removes it`() {
        let cache = cache()
        cache.store(thumbnail(60), for: key(1))
        let whole = TestFolder.read(path(1))
        #expect(whole.count == 34 + 60)
        for index in whole.indices {
            var entry = whole
            entry[index] ^= 0x10
            TestFolder.write(entry, to: path(1))
            #expect(cache.find(key(1)) == nil)
            TestFolder.write(Array(whole[..<index]), to: path(1))
            #expect(cache.find(key(1)) == nil)
            #expect(folder.entries.isEmpty)
        }
        TestFolder.write(whole + [0], to: path(1))
        #expect(cache.find(key(1)) == nil)
        TestFolder.write([UInt8](repeating: 0, count: 300_000), to: path(1))
        #expect(cache.find(key(1)) == nil)
        #expect(folder.entries.isEmpty)
    }

    @Test func `takes another's entry under a name for absent`() {
        let cache = cache()
        cache.store(thumbnail(60), for: key(1))
        unsafe rename(path(1), path(2))
        #expect(cache.find(key(2)) == nil)
        cache.store(thumbnail(60), for: key(1))
        unsafe rename(path(1), "\(folder.cache)/\(key(1, .view).text)")
        #expect(cache.find(key(1, .view)) == nil)
        #expect(folder.entries.isEmpty)
    }

    @Test func `never waits for a pipe under a name`() {
        let cache = cache()
        cache.store(thumbnail(60), for: key(1))
        unsafe unlink(path(1))
        unsafe mkfifo(path(1), 0o600)
        #expect(cache.find(key(1)) == nil)
        #expect(folder.entries.isEmpty)
    }

    @Test(arguments: [
        GalleryPictures.DiskCacheBound(bytes: 32 * 4096), GalleryPictures.DiskCacheBound(count: 32),
    ])
    func `keeps what was used last when it's full`(bound: GalleryPictures.DiskCacheBound) {
        let cache = cache(bound)
        var most = 0
        for number in 0..<100 {
            cache.store(thumbnail(60), for: key(number))
            // What a process writes is dated by the system; the test dates it by its own clock.
            TestFolder.date(path(number), Self.start + number)
            most = max(most, folder.entries.count)
            // One of the first is used all the while.
            TestFolder.date(path(3), Self.start + 1000 + number)
        }
        #expect(most == 32)
        let kept = (0..<100).filter { cache.find(key($0)) != nil }
        #expect(kept == [3] + Array((101 - kept.count)..<100))
        #expect((30...32).contains(kept.count))
        #expect(
            cache.kept
                == GalleryPictures.DiskCacheBound(bytes: kept.count * 4096, count: kept.count))
    }

    @Test func `knows when it starts what is there`() {
        for number in 0..<20 {
            cache().store(thumbnail(60), for: key(number))
            TestFolder.date(path(number), Self.start + number)
        }
        let small = cache(GalleryPictures.DiskCacheBound(count: 10))
        small.sweep()
        #expect(folder.entries == (10..<20).map { key($0).text })
    }

    @Test func `notes once a day that something was used`() {
        let cache = cache()
        cache.store(thumbnail(60), for: key(1))
        TestFolder.date(path(1), Self.start)
        let day = 86_400
        for (advance, noted) in [(day - 1, 0), (1, day), (day - 1, day), (1, 2 * day)] {
            time.advance(by: advance)
            #expect(cache.find(key(1)) != nil)
            #expect(TestFolder.dated(path(1)) == Self.start + noted)
        }
    }

    @Test func `sweeps what was left half-written an hour ago, and touches nothing else`() {
        let cache = cache()
        cache.store(thumbnail(60), for: key(1))
        for (name, age) in [
            (".lull-1.tmp", 3601), (".lull-2.tmp", 3600), ("readme", 9999), (".other.tmp", 9999),
        ] {
            TestFolder.write([1], to: "\(folder.cache)/\(name)")
            TestFolder.date("\(folder.cache)/\(name)", Self.start - age)
        }
        cache.sweep()
        #expect(
            folder.entries == [".lull-2.tmp", ".other.tmp", key(1).text, "readme"].sorted())
    }

    @Test func `tries nothing for a minute where nothing can be written, and then again`() {
        let cache = cache()
        TestFolder.write([], to: folder.cache)
        cache.store(thumbnail(60), for: key(1))
        unsafe unlink(folder.cache)
        time.advance(by: 59)
        cache.store(thumbnail(60), for: key(1))
        #expect(folder.entries.isEmpty)
        time.advance(by: 1)
        cache.store(thumbnail(60), for: key(1))
        #expect(cache.find(key(1)) != nil)
    }

    @Test func `is in trouble though what began before has been written`() {
        var book = GalleryPictures.DiskCacheState()
        let error = ThumbnailError.system(call: "write", errno: ENOSPC)
        let begun = [0, 0].compactMap { book.begin(at: .seconds($0)) }
        book.noteTrouble(error, at: .zero)
        _ = book.noteStored(bytes: 1, within: GalleryPictures.DiskCacheBound(), since: begun[1])
        #expect(book.error == error && book.failures == 1)
        let later = book.begin(at: GalleryPictures.DiskCacheState.pause)
        _ = book.noteStored(bytes: 1, within: GalleryPictures.DiskCacheBound(), since: later ?? 0)
        #expect(book.error == nil && book.failures == 1)
    }

    @Test func `is not held up by a clock that goes back`() {
        let cache = cache()
        TestFolder.write([], to: folder.cache)
        cache.store(thumbnail(60), for: key(1))
        unsafe unlink(folder.cache)
        time.advance(by: -61)
        cache.store(thumbnail(60), for: key(1))
        #expect(cache.find(key(1)) != nil)
    }

    @Test(.enabled(if: canMount, "a small disk needs the right to mount one"))
    func `leaves no trace on a full disk of what didn't fit`() throws {
        unsafe mkdir(folder.cache, 0o700)
        let options = "size=64k,nr_inodes=20"
        let isMounted = unsafe options.withCString {
            unsafe mount("none", folder.cache, "tmpfs", 0, $0) == 0
        }
        try #require(isMounted)
        defer { unsafe umount2(folder.cache, Int32(MNT_DETACH)) }
        let cache = cache()
        for number in 0..<40 {
            cache.store(thumbnail(number < 20 ? 10_000 : 100), for: key(number))
            time.advance(by: 61)
        }
        let found = (0..<40).filter { cache.find(key($0)) != nil }
        #expect((4...25).contains(found.count))
        #expect(folder.entries == found.map { key($0).text }.sorted())
        unsafe unlink(path(0))
        cache.store(thumbnail(100), for: key(50))
        #expect(cache.find(key(50)) != nil)
    }

    @Test func `leaves no trace where no file may be so long, and harms nothing else`() async {
        await #expect(processExitsWith: .success) {
            let test = try `A disk cache of thumbnails`()
            let cache = test.cache()
            cache.store(test.thumbnail(60), for: test.key(1))
            signal(SIGXFSZ, SIG_IGN)
            limitFiles(to: 5000)
            cache.store(test.thumbnail(9000), for: test.key(2))
            guard test.folder.entries == [test.key(1).text], cache.find(test.key(1)) != nil,
                cache.find(test.key(2)) == nil
            else { exit(1) }
        }
    }

    @Test(arguments: [0, 1, 8, 33, 34, 35, 4096, 9033])
    func `has whole entries or none after a crash at whatever byte`(count: Int) async {
        let cache = cache()
        cache.store(thumbnail(50), for: key(1))
        let place = folder.cache
        await #expect(processExitsWith: .signal(SIGXFSZ)) {
            [place = place as String, count = count as Int] in
            let dying = ThumbnailDiskCache(in: place)
            letLongFilesKill()
            limitFiles(to: UInt(count))
            let picture = PictureKey(id: PictureID(1), stamp: 7)
            dying.store(
                Thumbnail(
                    [UInt8](repeating: 5, count: 9000), .jpeg, PixelSize(width: 3, height: 3)),
                for: ThumbnailKey(picture: picture, size: .row))
        }
        // The old entry is there, beside what the crash has left, which is swept when it's old.
        #expect(cache.find(key(1)) == thumbnail(50))
        let left = folder.entries.filter { $0 != key(1).text }
        #expect(left.count == 1 && left[0].hasPrefix(".lull-"))
        for name in left { TestFolder.date("\(place)/\(name)", Self.start - 3601) }
        self.cache().sweep()
        #expect(folder.entries == [key(1).text])
    }
}

/// Whether a file system can be mounted, as root can.
private var canMount: Bool {
    let path = makeTemporaryFolder("mount")
    defer { unsafe rmdir(path) }
    guard unsafe mount("none", path, "tmpfs", 0, nil) == 0 else { return false }
    return unsafe umount2(path, Int32(MNT_DETACH)) == 0
}

/// Has the signal do to this thread what it does to a program that doesn't ignore it.
private func letLongFilesKill() {
    signal(SIGXFSZ, SIG_DFL)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGXFSZ)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
}

private func limitFiles(to bytes: UInt) {
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    var limit = rlimit()
    unsafe getrlimit(resource, &limit)
    limit.rlim_cur = bytes
    unsafe setrlimit(resource, &limit)
}

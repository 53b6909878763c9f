import Glibc
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.serialized) struct `A disk cache` {
    private func bytes(_ count: Int, _ seed: Int = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed) }
    }

    @Test(arguments: TestedCache.Layout.allCases)
    func `gives back what was put there, and nothing else`(layout: TestedCache.Layout) {
        let test = TestedCache(layout)
        #expect(test.find(1) == nil)
        for (number, count) in [(1, 100), (2, 0), (3, 90_000), (1, 1 << 19)] {
            test.store(bytes(count), number)
            #expect(test.find(number) == bytes(count))
        }
        test.remove(2)
        test.remove(4)
        #expect(test.find(2) == nil)
        #expect(test.files.entries == [1, 3].map(test.name).sorted())
    }

    @Test(arguments: TestedCache.Layout.allCases)
    func `is for its owner alone`(layout: TestedCache.Layout) {
        let test = TestedCache(layout)
        test.store([1], 4)
        #expect(test.files.permissions(test.name(4)) == 0o600)
        #expect(test.files.permissions("") == 0o700)
    }

    @Test(arguments: TestedCache.Layout.allCases)
    func `has an entry whole or not at all`(layout: TestedCache.Layout) throws {
        let test = TestedCache(layout)
        test.store(bytes(10), 1)
        for pieces in 0..<4 {
            var writer = try test.writer(1)
            for _ in 0..<pieces { try writer.append(bytes(10)) }
            #expect(test.files.entries.count == 2)
            #expect(test.find(1) == bytes(10))
            _ = consume writer
            #expect(test.files.entries == [test.name(1)])
        }
    }

    @Test(arguments: TestedCache.Layout.allCases)
    func `follows no link, and never waits for a pipe`(layout: TestedCache.Layout) throws {
        let test = TestedCache(layout)
        let outside = test.files.write("outside", bytes(50))
        for number in 0..<2 {
            for hostile in 0..<4 {
                test.store(bytes(60), number)
                test.store(bytes(60), 5 + number)
                let path = test.path(number)
                unsafe unlink(path)
                switch hostile {
                case 0: unsafe symlink(outside, path)
                case 1: unsafe mkfifo(path, 0o600)
                case 2: unsafe symlink("/dev/zero", path)
                default: unsafe symlink(path, path)
                }
                #expect(test.find(number) == nil)
                test.store(bytes(70), number)
                #expect(test.find(number) == bytes(70))
                var status = stat()
                #expect(unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
            }
        }
        #expect(CacheFolder.read(outside) == bytes(50))
        #expect(test.cache.failure == nil)
    }

    @Test func `reaches nothing through a link in place of one of its folders`() throws {
        let test = TestedCache(.thumbnails, DiskCacheBound(bytes: 0, age: .seconds(1)))
        let elsewhere = "\(test.files.path)/elsewhere"
        let name = String(test.name(0).split(separator: "/")[1])
        test.files.write("elsewhere/\(name)", [1], at: 0)
        test.files.write("elsewhere/.lull-1.tmp", [1], at: 0)
        test.files.write("cache/thumbnails/large/x", [])
        unsafe symlink(elsewhere, "\(test.files.root)/normal")
        unsafe symlink(elsewhere, "\(test.files.root)/fail")
        for number in [0, 4] {
            test.store([2], number)
            #expect(test.cache.failure?.error != nil)
            test.remove(number)
            test.time.advance(by: 61)
        }
        let sweep = test.cache.sweep()
        while !sweep.step() {}
        #expect(CacheFolder.files(in: elsewhere).sorted() == [".lull-1.tmp", name])
    }

    @Test(arguments: TestedCache.Layout.allCases)
    func `tries nothing for a minute where nothing can be written, and then again`(
        layout: TestedCache.Layout
    ) throws {
        let test = TestedCache(layout)
        let blocker = test.files.write("cache", [])
        test.cache.check()
        let error = DiskCacheError.system(call: "open", errno: ENOTDIR)
        #expect(test.cache.failure == DiskCacheFailure(folder: test.files.root, error: error))
        unsafe unlink(blocker)
        test.time.advance(by: 59)
        test.store([1], 1)
        #expect(throws: DiskCacheError.paused) { _ = try test.writer(1) }
        #expect(test.files.entries == [] && test.cache.failure != nil)
        test.time.advance(by: 1)
        test.store([1], 1)
        #expect(test.files.entries.count == 1)
        #expect(test.cache.failure == nil && test.cache.failures == 1)
    }

    @Test func `is not held up by a clock that goes back`() {
        let test = TestedCache(.checked)
        let blocker = test.files.write("cache", [])
        test.store([1], 1)
        unsafe unlink(blocker)
        test.time.advance(by: -61)
        test.store([1], 1)
        #expect(test.find(1) != nil)
    }

    @Test func `keeps its failure though what began before has been written`() throws {
        let test = TestedCache(.checked)
        var before = try test.writer(1)
        test.files.write("cache/thumbnails/\(test.name(2))/x", [])
        test.store([1], 2)
        let error = DiskCacheError.system(call: "rename", errno: EISDIR)
        #expect(test.cache.failure?.error == error)
        try before.append([1])
        try before.commit()
        #expect(test.cache.failure?.error == error)
        test.time.advance(by: 60)
        test.store([1], 3)
        #expect(test.cache.failure == nil && test.cache.failures == 1)
    }

    @Test func `notes once a day that something was used, if it has a bound`() {
        let day = 86_400
        for bound in [DiskCacheBound.service, .none] {
            let test = TestedCache(.checked, bound)
            test.store([1], 1)
            CacheFolder.date(test.path(1), TestedCache.start)
            for (advance, noted) in [(day - 1, 0), (1, day), (day - 1, day), (1, 2 * day)] {
                test.time.advance(by: advance)
                #expect(test.find(1) != nil)
                let noted = bound == .none ? 0 : noted
                let used = CacheFolder.lastUse(test.path(1)) - TestedCache.start
                // The kernel may have noted the reading as well, by its own clock.
                #expect(used == noted || used > 3 * day)
                CacheFolder.date(
                    test.path(1), TestedCache.start, read: TestedCache.start + noted)
            }
        }
    }

    @Test(arguments: TestedCache.Layout.allCases)
    func `leaves no trace of what no disk or limit had room for`(
        layout: TestedCache.Layout
    ) async {
        let isChecked = layout == .checked
        await #expect(processExitsWith: .success) { [isChecked = isChecked as Bool] in
            let test = TestedCache(isChecked ? .checked : .thumbnails)
            test.store([1], 1)
            signal(SIGXFSZ, SIG_IGN)
            withLimit(RLIMIT_FSIZE, 5000) {
                test.store([UInt8](repeating: 2, count: 9000), 2)
            }
            let error = DiskCacheError.system(call: "write", errno: EFBIG)
            #expect(test.cache.failure?.error == error)
            #expect(test.files.entries == [test.name(1)])
            #expect(test.find(1) == [1])
        }
    }

    @Test(.enabled(if: canMount, "a small disk needs the right to mount one"))
    func `leaves no trace on a full disk of what didn't fit`() throws {
        let files = CacheFolder()
        files.write("disk/x", [])
        let folder = "\(files.path)/disk"
        let options = "size=64k,nr_inodes=20"
        try #require(unsafe mount("none", folder, "tmpfs", 0, options) == 0)
        defer { unsafe umount2(folder, Int32(MNT_DETACH)) }
        let test = TestedCache(.checked, in: folder)
        for number in 0..<40 {
            test.store(bytes(number < 20 ? 10_000 : 100), number)
            test.time.advance(by: 61)
        }
        let found = (0..<40).filter { test.find($0) != nil }
        #expect((4...25).contains(found.count))
        #expect(CacheFolder.files(in: folder).sorted() == found.map(test.name).sorted())
        guard case .system(_, ENOSPC) = test.cache.failure?.error else {
            Issue.record("the last of them didn't fit")
            return
        }
        test.remove(0)
        test.store(bytes(100), 50)
        #expect(test.find(50) != nil && test.cache.failure == nil)
    }

    @Test(arguments: [0, 13, 4096, 9017])
    func `has whole entries or none after a crash at whatever byte`(count: Int) async {
        let test = TestedCache(.checked)
        test.store(bytes(50), 1)
        let place = test.files.root
        await #expect(processExitsWith: .signal(SIGXFSZ)) {
            [place = place as String, count = count as Int] in
            let dying = TestedCache(.checked, in: place)
            signal(SIGXFSZ, SIG_DFL)
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            unsafe sigaddset(&signals, SIGXFSZ)
            unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            withLimit(RLIMIT_FSIZE, UInt(count)) {
                dying.store([UInt8](repeating: 5, count: 9000), 1)
            }
        }
        // The old entry is there, beside what the crash has left, which is swept when it's old.
        #expect(test.find(1) == bytes(50))
        let left = test.files.entries.filter { $0 != test.name(1) }
        #expect(left.count == 1 && left.allSatisfy(DiskCacheWriter.isTemporary))
        for name in left { CacheFolder.date("\(place)/\(name)", TestedCache.start - 3601) }
        test.sweepIfDue()
        #expect(test.files.entries == [test.name(1)])
    }

    @Test(arguments: TestedCache.Layout.allCases)
    func `serves many threads at a time`(layout: TestedCache.Layout) async {
        let bound = DiskCacheBound(bytes: 40 * 4096)
        let test = TestedCache(layout, bound)
        let (place, isChecked) = (test.files.root, layout == .checked)
        await withTaskGroup(of: Int.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    let test = TestedCache(isChecked ? .checked : .thumbnails, in: place)
                    var random = SplitMix64(seed: UInt64(thread))
                    var wrong = 0
                    for _ in 0..<50 {
                        let number = Int.random(in: 0..<60, using: &random)
                        let bytes = [UInt8](repeating: UInt8(number), count: 100 * number)
                        test.store(bytes, number)
                        if let found = test.find(number), found != bytes { wrong += 1 }
                        _ = test.cache.stepSweep()
                    }
                    return wrong
                }
            }
            for await wrong in group { #expect(wrong == 0) }
        }
        #expect(test.files.entries.allSatisfy { !$0.contains(".tmp") })
    }
}

import Glibc
import TestSupport
import Testing

@testable import ImageLoading

@Suite(.serialized) struct `A disk cache` {
    private func bytes(_ count: Int, _ seed: Int = 0) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ seed) }
    }

    @Test func `is for its owner alone`() {
        let test = TestedCache()
        test.store([1], 4)
        #expect(test.files.permissions(test.name(4)) == 0o600)
        #expect(test.files.permissions("") == 0o700)
    }

    @Test func `reaches nothing through a link in place of one of its folders`() throws {
        let test = TestedCache(DiskCacheBound(bytes: 0))
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

    @Test func `tries nothing for a minute where nothing can be written, and then again`() throws {
        let test = TestedCache()
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
        let test = TestedCache()
        let blocker = test.files.write("cache", [])
        test.store([1], 1)
        unsafe unlink(blocker)
        test.time.advance(by: -61)
        test.store([1], 1)
        #expect(test.find(1) != nil)
    }

    @Test func `keeps its failure though what began before has been written`() throws {
        let test = TestedCache()
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

    @Test func `leaves no trace of what no disk or limit had room for`() async {
        await #expect(processExitsWith: .success) {
            let test = TestedCache()
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

    @Test(arguments: [0, 13, 4096, 8999])
    func `has whole entries or none after a crash at whatever byte`(count: Int) async {
        let test = TestedCache()
        test.store(bytes(50), 1)
        let place = test.files.root
        await #expect(processExitsWith: .signal(SIGXFSZ)) {
            [place = place as String, count = count as Int] in
            let dying = TestedCache(in: place)
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
        let names = left.map { $0.split(separator: "/").last.map(String.init) ?? "" }
        #expect(left.count == 1 && names.allSatisfy(DiskCacheWriter.isTemporary))
        for name in left { CacheFolder.date("\(place)/\(name)", TestedCache.start - 3601) }
        test.cache.sweepIfDue()
        #expect(test.files.entries == [test.name(1)])
    }

    @Test func `serves many threads at a time`() async {
        let bound = DiskCacheBound(bytes: 40 * 4096)
        let test = TestedCache(bound)
        let place = test.files.root
        await withTaskGroup(of: Int.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    let test = TestedCache(in: place)
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

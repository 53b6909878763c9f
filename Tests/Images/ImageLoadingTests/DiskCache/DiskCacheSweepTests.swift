import Glibc
import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `A sweep of a disk cache` {
    static let now = TestedCache.start

    private func run(_ sweep: DiskCacheSweep) -> Int {
        var steps = 1
        while !sweep.step() { steps += 1 }
        return steps
    }

    /// Makes a file in the cache's folder of a length, and says when it was written and read.
    private func write(_ test: TestedCache, _ name: String, _ bytes: Int, _ ages: (Int, Int)) {
        let file = test.files.write("cache/thumbnails/\(name)", [])
        unsafe truncate(file, bytes)
        CacheFolder.date(file, Self.now - ages.0, read: Self.now - ages.1)
    }

    @Test(arguments: seeds(1...20))
    func `leaves what the plain way would leave`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func limit(_ range: ClosedRange<Int>) -> Int? {
            Bool.random(using: &random) ? .random(in: range, using: &random) : nil
        }
        let bound = DiskCacheBound(bytes: limit(0...400_000), count: limit(0...100))
        let test = TestedCache(bound)
        let folders = test.cache.folders
        var entries = (0..<Int.random(in: 0...90, using: &random)).map { number in
            let bytes = Int.random(in: 0...20_000, using: &random)
            // No two are equally old.
            let ages = (0..<2).map { _ in
                1 + number + .random(in: 0...40, using: &random) * 1000
            }
            write(test, test.name(number), bytes, (ages[0], ages[1]))
            return (
                name: test.name(number), age: ages.min() ?? 0, cost: (bytes + 4095) / 4096 * 4096
            )
        }
        entries.sort { $0.age > $1.age }
        let sweep = test.cache.sweep()
        let steps = run(sweep)

        var kept = entries
        func isTooMuch() -> Bool {
            kept.count > bound.count.map { $0 - $0 / 16 } ?? .max
                || kept.reduce(0) { $0 + $1.cost } > bound.bytes.map { $0 - $0 / 16 } ?? .max
        }
        while !kept.isEmpty, isTooMuch() { kept.removeFirst() }
        #expect(test.files.entries == kept.map(\.name).sorted())
        // Between folders, at their ends, for 32 files each, and for 8 removed each.
        #expect(steps <= 2 * folders.count + 1 + entries.count / 32 + entries.count / 8 + 2)
    }

    @Test func `counts sparse files of any length`() {
        var size = DiskCacheSize()
        for _ in 0..<1000 { size = size + DiskCacheSize(ofFile: .max) }
        #expect(size.count == 1000 && DiskCacheBound.service.isExceeded(by: size))
    }

    @Test func `touches only entries, and leftovers when they are an hour old`() {
        let test = TestedCache(DiskCacheBound(bytes: 0))
        let name = test.name(0)
        let place = "normal/"
        let others = [
            "\(place)readme.png", name.uppercased(), "\(name).jpg", "\(place)x/\(test.name(5))",
            "fail/other-1/\(test.name(6))", "\(name)/inside", "\(place).other-1.tmp",
            "\(place).lull-young.tmp", "\(place)lull-2.tmp",
        ]
        for name in others { write(test, name, 10, (9_999_999, 9_999_999)) }
        CacheFolder.date("\(test.files.root)/\(place).lull-young.tmp", Self.now - 3600)
        write(test, "\(place).lull-0.tmp", 10, (3601, 0))
        write(test, test.name(10), 10, (2, 2))
        unsafe symlink("\(test.files.root)/\(others[0])", test.path(15))
        let sweep = test.cache.sweep()
        _ = run(sweep)
        #expect(test.files.entries == (others + [test.name(15)]).sorted())
    }

    @Test func `spares an entry that was used after it was looked at`() {
        let test = TestedCache(DiskCacheBound(bytes: 8192))
        let numbers = [0, 5, 10, 15]
        for number in numbers { write(test, test.name(number), 1, (99 - number, 99 - number)) }
        let sweep = test.cache.sweep()
        // Into the first folder, and through it.
        for _ in 0..<2 { #expect(!sweep.step()) }
        CacheFolder.date(test.path(0), 0, read: Self.now)
        _ = run(sweep)
        #expect(test.files.entries == [test.name(0)])
    }

    @Test func `survives a folder that goes at any moment`() {
        for steps in 0..<20 {
            let test = TestedCache(DiskCacheBound(count: 0))
            for number in 0..<40 { write(test, test.name(number), 1, (9, 9)) }
            let sweep = test.cache.sweep()
            for _ in 0..<steps { _ = sweep.step() }
            CacheFolder.remove(test.files.root)
            _ = run(sweep)
            test.store([1], 1)
            #expect(test.find(1) == [1])
        }
    }

    @Test func `does nothing where there is nothing, or in a step after its last`() {
        let test = TestedCache()
        let sweep = test.cache.sweep()
        #expect(run(sweep) == 5 + 1)
        #expect(sweep.step())
    }

    @Test func `is due at first, for a sixteenth of the bound, and once a day`() {
        let test = TestedCache(DiskCacheBound(bytes: 32 * 4096))
        func isDue() -> Bool { !test.cache.stepSweep() }
        func finish() { test.cache.sweepIfDue() }
        #expect(isDue())
        finish()
        for number in 0..<2 { test.store([1], number) }
        #expect(!isDue())
        test.store([1], 2)
        #expect(isDue())
        finish()
        for second in [1, -1] {
            test.time.advance(by: 86_399 * second)
            #expect(!isDue())
            test.time.advance(by: second)
            #expect(isDue())
            finish()
        }
    }

    @Test(arguments: [DiskCacheBound(bytes: 32 * 4096), DiskCacheBound(count: 32)])
    func `is full when it has what a sweep leaves, and another process knows after its first`(
        bound: DiskCacheBound
    ) {
        let files = CacheFolder()
        func cache() -> DiskCache { DiskCache(in: files.root, bound: bound) }
        let first = cache()
        var count = 0
        while !first.isFull, count < 100 {
            first.store([1], for: "\(count)")
            first.sweepIfDue()
            count += 1
        }
        #expect((30...33).contains(count) && files.entries.count >= 30)
        let second = cache()
        #expect(!second.isFull)
        second.sweepIfDue()
        #expect(second.isFull)
    }
}

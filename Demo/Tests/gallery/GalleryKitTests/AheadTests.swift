import GalleryCatalogue
import GalleryFiles
import GalleryPictures
import GalleryTestSupport
import IdleLoop
import ImageLoading
import Testing

@testable import GalleryKit

/// Thumbnails that are made while nobody scrolls.
struct AheadTests {
    /// A gallery with a disk cache, whose pictures take so long to be made.
    private final class Bench {
        let base: GalleryBench
        let cache: ThumbnailDiskCache
        private let folder = TemporaryFolder()
        /// The pictures that were worked on, in order, with each step, and the times of these.
        private(set) var steps: [ThumbnailKey] = []
        private(set) var moments: [Instant] = []

        init(
            rows: Int, step: Duration, makesAhead: Bool = true,
            bound: DiskCacheBound = .service, _ fill: (PictureFiles) throws -> Void = { _ in }
        ) throws {
            cache = ThumbnailDiskCache.thumbnails(in: folder.file("cache"), bound: bound)
            base = try GalleryBench(
                rows: rows, cache: cache, makesAhead: makesAhead, step: step, fill)
            base.gallery.source.onStep = { [unowned self] key in
                steps.append(key)
                moments.append(base.now)
                base.time.charge(step)
            }
        }

        deinit { base.gallery.source.onStep = nil }

        func forget() { (steps, moments) = ([], []) }

        /// The paths of the pictures that were worked on, each once, in order.
        var paths: [String] {
            var seen: Set<ThumbnailKey> = []
            return steps.filter { seen.insert($0).inserted }.compactMap {
                base.gallery.catalogue.entry(of: $0.picture.id)?.path.text
            }
        }

        /// The number of steps for rows that are neither in a page's view nor around it.
        func steps(beyond page: TestPage) -> Int {
            let own = page.view.lowerBound - 150..<page.view.upperBound + 150
            return steps.count { key in
                base.gallery.catalogue.position(of: key.picture.id).map { !own.contains($0) }
                    ?? true
            }
        }

        /// The number of rows whose thumbnails are on disk.
        var kept: Int {
            (0..<base.gallery.catalogue.rowCount).count { row in
                base.key(row).map {
                    cache.find(ThumbnailKey(picture: $0, size: .row).text) != nil
                } ?? false
            }
        }
    }

    @Test func `all are made with nobody there, and then nothing wakes up`() throws {
        let bench = try Bench(rows: 60, step: .microseconds(300)) { files in
            files.makeFolder("a")
            for number in 0..<20 { try files.write("a/\(number).png") }
            files.write(Array("no picture".utf8), to: "a/20.png")
        }
        try bench.base.run(for: .seconds(30))
        #expect(bench.kept == 80)
        #expect(bench.base.isConserved && bench.base.gallery.pictures.isEmpty)
        // They aren't counted as made for nobody.
        #expect(bench.base.made == 0)
        let (turns, steps) = (bench.base.loop.statistics.turns, bench.steps.count)
        try bench.base.run(for: .seconds(600))
        #expect(bench.base.loop.statistics.turns - turns <= 2)
        // Who comes and goes changes nothing about that.
        let page = TestPage(of: bench.base)
        page.show(0)
        try bench.base.run(for: .seconds(10))
        #expect(page.isWhole && bench.steps.count == steps)
        page.leave()
        try bench.base.run(for: .seconds(60))
        let later = bench.base.loop.statistics.turns
        try bench.base.run(for: .seconds(600))
        #expect(bench.base.loop.statistics.turns - later <= 2)
    }

    @Test func `nothing is made ahead without the option, or without a cache`() throws {
        let bench = try Bench(rows: 30, step: .microseconds(300), makesAhead: false)
        try bench.base.run(for: .seconds(60))
        #expect(bench.kept == 0 && bench.steps.isEmpty)
        let other = try GalleryBench(rows: 30)
        try other.run(for: .seconds(60))
        #expect(other.gallery.source.statistics.decodedInSlices == 0)
    }

    @Test func `no more are made than the disk cache keeps`() throws {
        let bench = try Bench(
            rows: 80, step: .microseconds(300), bound: DiskCacheBound(count: 32))
        try bench.base.run(for: .seconds(60))
        // A sweep leaves 30; a few are on their way when that is known.
        #expect((28...34).contains(bench.kept))
        // Somebody is there for a moment, and then nothing is made in place of what is kept.
        let page = TestPage(of: bench.base)
        page.show(0)
        try bench.base.run(for: .milliseconds(1))
        page.leave()
        try bench.base.run(for: ThumbnailsAhead.quiet / 2)
        let steps = bench.steps.count
        try bench.base.run(for: .seconds(60))
        #expect(bench.steps.count == steps)
        let turns = bench.base.loop.statistics.turns
        try bench.base.run(for: .seconds(600))
        #expect(bench.base.loop.statistics.turns - turns <= 2)
    }

    @Test func `the folder that was looked at last comes first`() throws {
        let bench = try Bench(rows: 0, step: .milliseconds(20)) { files in
            for folder in ["a", "b", "c"] {
                files.makeFolder(folder)
                for number in 0..<60 { try files.write("\(folder)/\(number).png") }
            }
        }
        try bench.base.run(for: .milliseconds(200))
        let page = TestPage(of: bench.base)
        page.show(GalleryBench.header * 2 + GalleryBench.rowHeight * 70)
        try bench.base.run(for: .milliseconds(1))
        page.leave()
        try bench.base.run(for: ThumbnailsAhead.quiet - .milliseconds(200))
        bench.forget()
        try bench.base.run(for: .seconds(60))
        let folders = bench.paths.map { $0.prefix(1) }
        let count = folders.firstIndex { $0 != "b" } ?? folders.count
        #expect(count > 30 && !folders[count...].contains("b"))
        #expect(bench.kept == 180)
    }

    @Test func `a folder that changes all the time has its thumbnails made as well`() throws {
        let bench = try Bench(rows: 20, step: .microseconds(300))
        for number in 0..<40 {
            try bench.base.files.write("new\(number).png")
            bench.base.files.delete("\(number / 2).png")
            try bench.base.run(for: .milliseconds(300))
        }
        #expect(bench.kept > 30)
        try bench.base.settle()
        try bench.base.run(for: .seconds(10))
        #expect(bench.base.gallery.catalogue.rowCount == 40 && bench.kept == 40)
    }

    /// The time that a page's rows take from a report on, and the steps of others until then.
    private func wait(makesAhead: Bool) throws -> (time: Duration, steps: Int, others: Int) {
        let bench = try Bench(rows: 900, step: .milliseconds(5), makesAhead: makesAhead)
        let page = TestPage(of: bench.base)
        page.show(0)
        try bench.base.run(for: .seconds(6))
        #expect(bench.steps.isEmpty == false)
        bench.forget()
        let start = bench.base.now
        page.show(50_440)
        while !page.isWhole, start.duration(to: bench.base.now) < .seconds(10) {
            try bench.base.run(for: .milliseconds(1))
        }
        #expect(page.isWhole)
        return (start.duration(to: bench.base.now), bench.steps.count, bench.steps(beyond: page))
    }

    @Test func `who scrolls waits for no more than a step of what is made ahead`() throws {
        let (with, without) = (try wait(makesAhead: true), try wait(makesAhead: false))
        #expect(with.others <= 1)
        #expect(with.steps <= without.steps + 1)
        #expect(with.time <= without.time + .milliseconds(6), "\(with), \(without)")
    }

    @Test func `nothing is made ahead while somebody scrolls`() throws {
        let bench = try Bench(rows: 900, step: .milliseconds(1))
        let page = TestPage(of: bench.base)
        page.show(0)
        try bench.base.run(for: .seconds(1))
        #expect(page.isWhole)
        bench.forget()
        for step in 0..<100 {
            try bench.base.run(for: .milliseconds(50))
            page.show(Double(step % 2))
        }
        #expect(bench.steps(beyond: page) == 0)
        try bench.base.run(for: ThumbnailsAhead.quiet + .seconds(10))
        #expect(bench.steps(beyond: page) > 100)
    }

    @Test func `a picture that is new in view waits for no more than a step of what is made ahead`()
        throws
    {
        let bench = try Bench(rows: 900, step: .milliseconds(5))
        let page = TestPage(of: bench.base)
        page.show(0)
        try bench.base.run(for: .seconds(4))
        page.forget()
        try bench.base.files.write("4b.png")
        for _ in 0..<3000 where page.events("changed").isEmpty || !page.isWhole {
            try bench.base.run(for: .milliseconds(1))
        }
        let changed = try #require(page.events("changed").first).moment
        let catalogue = bench.base.gallery.catalogue
        let row = try #require(
            page.view.first { catalogue.entry(atPosition: $0).path.text == "4b.png" })
        let new = try #require(bench.base.key(row))
        let told = try #require(page.events("thumbs").first { $0.rows.contains(row) }).moment
        let between = zip(bench.steps, bench.moments).filter { $1 >= changed && $1 < told }
        #expect(between.contains { $0.0.picture == new })
        #expect(between.count { $0.0.picture != new } <= 1)
        // And then they go on.
        bench.forget()
        try bench.base.run(for: .seconds(4))
        #expect(bench.steps.count > 100)
    }
}

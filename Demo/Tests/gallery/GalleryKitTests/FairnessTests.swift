import GalleryCatalogue
import GalleryPictures
import GalleryTestSupport
import IdleLoop
import ImageLoading
import LullTesting
import ScrollModel
import TestSupport
import Testing

@testable import DeferredLoading
@testable import GalleryKit

/// Many pages of one gallery: none starves, no job is lost, and all of it is the same each time.
struct FairnessTests {
    /// How long a page waits for what is in view, while another wants as much as it may, or nothing.
    private func wait(besideOther isBusy: Bool) throws -> Duration {
        let bench = try GalleryBench(rows: 300)
        let greedy = isBusy ? TestPage(of: bench, at: "10.0.0.9", height: 6000) : nil
        greedy?.show(0)
        try bench.run(for: .milliseconds(3))
        let page = TestPage(of: bench)
        let start = bench.now
        page.show(20_000)
        var steps = 0
        while !page.isWhole, steps < 2000 {
            try bench.run(for: .milliseconds(1))
            steps += 1
            if steps.isMultiple(of: 16) { greedy?.show(Double(steps) * 8) }
        }
        #expect(page.isWhole)
        if let greedy { #expect(!greedy.isWhole) }
        return start.duration(to: bench.now)
    }

    @Test func `a page that wants much keeps no other waiting for twice its time`() throws {
        let alone = try wait(besideOther: false)
        let beside = try wait(besideOther: true)
        #expect(alone >= .milliseconds(3))
        #expect(beside <= alone * 2 + .milliseconds(2), "\(beside), alone \(alone)")
    }

    @Test func `a page is whole soon though the loop is never idle`() throws {
        let bench = try GalleryBench(rows: 100)
        let page = TestPage(of: bench)
        try bench.settle()
        // Something is always due, and takes its time.
        func keepBusy() {
            bench.time.charge(.milliseconds(1))
            _ = bench.loop.schedule(after: .zero) { keepBusy() }
        }
        keepBusy()
        let sleeps = bench.loop.statistics.sleeps
        page.show(3000)
        // The leap is over after 150 ms; the rest is being looked at, and eleven pictures.
        try bench.run(for: .milliseconds(400))
        #expect(page.isWhole, "\(page.view), told \(page.rows)")
        #expect(bench.loop.statistics.sleeps == sleeps, "the loop slept")
    }

    // MARK: - What a page may have

    @Test func `so many bytes of files are on their way for a page, and all it shows comes`()
        throws
    {
        var limits = GalleryLimits()
        limits.pageBytes = 250_000
        let bench = try GalleryBench(rows: 0, limits: limits) { files in
            for row in 0..<60 { try files.write("\(row).png", padding: 100_000) }
        }
        let page = TestPage(of: bench, height: 1440)
        page.show(1000)
        var most = 0
        var steps = 0
        while !page.isWhole, steps < 4000 {
            try bench.run(for: .microseconds(250))
            most = max(most, bench.gallery.pictures.count)
            steps += 1
        }
        #expect(page.isWhole)
        #expect(most == 2)
    }

    private func bench(rows: Int, pageWork: Duration, rate: Duration) throws -> GalleryBench {
        var limits = GalleryLimits()
        (limits.pageWork, limits.pageWorkRate) = (pageWork, rate)
        return try GalleryBench(rows: rows, limits: limits)
    }

    @Test func `a page has so much made for it a second, and all it shows comes`() throws {
        let bench = try bench(rows: 400, pageWork: .milliseconds(30), rate: .milliseconds(10))
        let page = TestPage(of: bench)
        for step in 0..<50 {
            page.show(Double(step * 500))
            try bench.run(for: .milliseconds(200))
        }
        // Each is expected to take a millisecond or two: of 500 rows that were shown it had these.
        #expect(bench.made <= 30 + 10 * 10)
        try bench.run(for: .seconds(10))
        #expect(page.isWhole)
    }

    @Test func `pictures that were wanted and not begun cost a page nothing`() throws {
        let bench = try bench(rows: 2000, pageWork: .milliseconds(200), rate: .milliseconds(1))
        let page = TestPage(of: bench)
        // At each place a few rows are made until it's left: by far not all that are wanted there.
        for step in 0..<30 {
            page.show(Double(step * 3000))
            try bench.run(for: .microseconds(500))
        }
        let made = bench.made
        #expect(made < 60)
        try bench.run(for: .milliseconds(100))
        #expect(page.isWhole && bench.made < made + 40)
    }

    @Test func `a picture costs a page what making it took, not what its size led to expect`()
        throws
    {
        var limits = GalleryLimits()
        (limits.pageWork, limits.pageWorkRate) = (.milliseconds(30), .milliseconds(1))
        let gray = Picture(
            size: PixelSize(width: 1500, height: 1000),
            pixels: Array(repeating: 255, count: 4 * 1500 * 1000))
        var encoder = try JPEGEncoder(gray, quality: 80)
        var file: [UInt8] = []
        while try !encoder.step(into: &file) {}
        let bench = try GalleryBench(rows: 0, limits: limits) { files in
            for row in 0..<60 { files.write(file, to: "\(row).jpg") }
        }
        bench.gallery.onPictureStep = nil
        let page = TestPage(of: bench)
        page.show(0)
        try bench.run(for: .seconds(1))
        // Each was expected to take 9 ms, and took less than one.
        #expect(page.isWhole && bench.made > 10)
    }

    // MARK: - Random pages

    /// What pages were told in one run: when, who, what of which row.
    private func log(of seed: UInt64) throws -> [String] {
        var random = SeededGenerator(seed: seed)
        var limits = GalleryLimits()
        limits.pictureBytes = Bool.random(using: &random) ? 8 << 10 : 1 << 20
        // With a disk cache, thumbnails are made ahead while nobody scrolls.
        let folder = Bool.random(using: &random) ? TemporaryFolder() : nil
        let cache = folder.map { ThumbnailDiskCache.thumbnails(in: $0.file("cache")) }
        let bench = try GalleryBench(rows: 40, limits: limits, cache: cache) { files in
            files.write([1, 2, 3], to: "7.png")
        }
        var pages: [TestPage] = []
        var log: [String] = []
        func end(_ page: TestPage) {
            log += page.events.filter { $0.name != "hello" }.map {
                "\(page.address) \($0.moment.nanoseconds) \($0.name) \($0.rows)"
            }
        }
        for step in 0..<14 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1:
                let height = Double.random(in: 200...2000, using: &random).rounded()
                pages.append(TestPage(of: bench, at: "10.0.0.\(step)", height: height))
                pages.last?.show(0)
            case 2 where !pages.isEmpty:
                let page = pages.remove(at: Int.random(in: 0..<pages.count, using: &random))
                if Bool.random(using: &random) { page.leave() } else { page.vanish() }
                end(page)
            case 3: try bench.files.write("\(Int.random(in: 0..<60, using: &random)).png")
            case 4: bench.files.delete("\(Int.random(in: 0..<60, using: &random)).png")
            default:
                for page in pages {
                    page.show(Double.random(in: 0...3000, using: &random).rounded())
                }
            }
            let isQuiet = Int.random(in: 0..<8, using: &random) == 0
            let wait = Int64.random(in: isQuiet ? 2000...2100 : 1...120, using: &random)
            try bench.run(for: .milliseconds(wait))
            #expect(bench.isConserved, "\(bench.loop.queueStatistics)")
        }
        try bench.settle()
        for page in pages { page.show(page.clamped) }
        try bench.run(for: .seconds(2))
        for page in pages {
            #expect(page.isWhole, "\(page.view), told \(page.rows)")
            end(page)
        }
        #expect(bench.isConserved)
        bench.gallery.loader.checkInvariants()
        return log
    }

    @Test(arguments: 0..<20)
    func `pages at rest have all that is in view, and no job is lost`(_ seed: UInt64) throws {
        let first = try log(of: seed)
        let second = try log(of: seed)
        #expect(first == second)
    }
}

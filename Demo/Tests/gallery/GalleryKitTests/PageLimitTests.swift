import DeferredLoading
import GalleryCatalogue
import GalleryFiles
import GalleryPictures
import IdleLoop
import ScrollModel
import Testing

@testable import GalleryKit

/// What a stranger's page can have of the gallery at most.
struct PageLimitTests {
    private func key(_ number: Int) -> ThumbnailKey {
        let picture = PictureKey(id: PictureID(UInt64(number)), stamp: 0)
        return ThumbnailKey(picture: picture, size: .row)
    }

    @Test func `pages are so many in all, and of one address`() throws {
        var limits = GalleryLimits()
        limits.clients = 5
        limits.clientsPerAddress = 2
        let bench = try GalleryBench(rows: 1, limits: limits)
        let pages = ["a", "a", "a", "b", "unix", "unix", "b", "unix"].map {
            TestPage(of: bench, at: $0)
        }
        #expect(pages.map(\.isOpen) == [true, true, false, true, true, true, false, false])
        pages[0].leave()
        let next = [TestPage(of: bench, at: "a"), TestPage(of: bench, at: "c")]
        #expect(next.map(\.isOpen) == [true, false])
        #expect(bench.gallery.clientCount == 5)
    }

    @Test func `pages that leave take their part of the pictures' memory along`() throws {
        var limits = GalleryLimits()
        (limits.fewPictureBytes, limits.pictureBytesPerPage) = (700_000, 800_000)
        limits.pictureBytes = 2_000_000
        #expect([0, 1, 2, 9].map(limits.pictureBytes) == [700_000, 800_000, 1_600_000, 2_000_000])
        let bench = try GalleryBench(rows: 2000, limits: limits)
        let pages = ["a", "b"].map { TestPage(of: bench, at: $0) }
        for step in 0..<288 {
            for page in pages { page.show(Double(500 * step)) }
            try bench.run(for: .milliseconds(100))
        }
        // The work on a picture counts, too, with half a megabyte.
        let loader = bench.gallery.loader
        #expect(loader.byteCount > 1_000_000)
        pages[1].leave()
        #expect(loader.byteCount > 750_000 && loader.byteCount <= 800_000)
        pages[0].leave()
        #expect(loader.byteCount > 650_000 && loader.byteCount <= 700_000)
    }

    @Test func `reports beyond so many a second are refused`() throws {
        let bench = try GalleryBench(rows: 1)
        let page = TestPage(of: bench)
        let statuses = (0..<125).map { _ in page.report([]) }
        #expect(statuses == Array(repeating: 204, count: 120) + Array(repeating: 429, count: 5))
        try bench.run(for: .milliseconds(500))
        let later = (0..<35).map { _ in page.report([]) }
        #expect(later.count { $0 == 204 } == 30)
    }

    @Test func `offsets of another list are not taken`() throws {
        let bench = try GalleryBench(rows: 30)
        let page = TestPage(of: bench)
        page.show(100)
        try bench.run(for: .seconds(1))
        #expect(page.report(raw: ["v": "999", "h": "720", "e": "f,9000,900"]) == 204)
        try bench.run(for: .seconds(1))
        #expect(bench.client(at: page.address)?.viewport?.offset == 100)
    }

    @Test func `a page wants so many rows at once, however high its window`() throws {
        let bench = try GalleryBench(rows: 300)
        let page = TestPage(of: bench, height: 100_000)
        page.show(0)
        try bench.run(for: .milliseconds(1))
        #expect(bench.gallery.pictures.count <= Client.mostWanted)
        try bench.run(for: .seconds(3))
        // Of so high a window the gallery believes as much as an upright screen of 8K pixels has.
        let view = bench.client(at: page.address)?.viewport?.visibleRows
        #expect(try #require(view).count > 100)
        #expect(try Set(page.rows).isSuperset(of: #require(view)))
        #expect(bench.gallery.pictures.statistics.longest <= Client.mostWanted)
    }

    @Test func `of the keys that a page was told the newest are remembered`() {
        var known = RecentValues<ThumbnailKey, Void>(limit: Client.mostKnown)
        for number in 0..<Client.mostKnown + 88 {
            known.insert((), for: key(number))
            known.insert((), for: key(number))
        }
        let left = (0..<Client.mostKnown + 88).filter { known[key($0)] != nil }
        #expect(left == Array(88..<Client.mostKnown + 88))
    }
}

import GalleryCatalogue
import GalleryFiles
import GalleryPictures
import GalleryTestSupport
import Glibc
import IdleLoop
import ImageLoading
import Testing

@testable import GalleryKit

/// A gallery that is closed or let go of in the middle of something.
struct ClosingTests {
    /// Holds a gallery, and lets go of it.
    private final class Holder {
        var gallery: Gallery?
    }

    @Test(arguments: ["hello", "thumbs", "changed", "failed", "bye"])
    func `a gallery may be let go of by a page that is told something`(_ event: String) throws {
        let bench = try GalleryBench(rows: 30) { $0.write([1, 2, 3], to: "10.png") }
        let holder = Holder()
        holder.gallery = try Gallery(of: bench.files.folder(), on: bench.loop)
        weak let weakGallery = holder.gallery
        try bench.run(for: .seconds(1))
        let version = try #require(holder.gallery?.catalogue.version)
        var pages: [DirectPage?] = []
        for number in 0..<3 {
            guard let gallery = holder.gallery else { break }
            pages.append(
                DirectPage(of: gallery, at: "10.0.0.\(number)") { name, _ in
                    if name == event { holder.gallery = nil }
                })
        }
        func report() {
            for page in pages { _ = page?.report(["v": "\(version)", "h": "2000", "e": "f,0,0"]) }
        }
        report()
        try bench.run(for: .milliseconds(100))
        try bench.files.write("new.png")
        holder.gallery?.announceEnd()
        try bench.run(for: .seconds(2))
        #expect(holder.gallery == nil && weakGallery == nil)
        // What comes too late is nothing.
        report()
        for page in pages { page?.leave() }
        for page in pages { page?.vanish() }
        #expect(pages.first??.fetch("0123456789abcdef-0123456789abcdef") == nil)
        #expect(pages.first??.report([:]) == 404)
        try bench.run(for: .seconds(40))
    }

    @Test func `a gallery may be let go of by a page that is told what is there already`() throws {
        let bench = try GalleryBench(rows: 30)
        let holder = Holder()
        var limits = GalleryLimits()
        limits.pageBytes = 1
        holder.gallery = try Gallery(of: bench.files.folder(), on: bench.loop, limits: limits)
        weak let weakGallery = holder.gallery
        try bench.run(for: .seconds(1))
        let version = try #require(holder.gallery?.catalogue.version)
        let pages = (0..<2).map { number in
            holder.gallery.flatMap {
                DirectPage(of: $0, at: "10.0.0.\(number)") { name, data in
                    let rows = name == "thumbs" ? TestStream.rows(in: data) : []
                    if number == 0, rows.contains(where: { $0 > 9 }) { holder.gallery = nil }
                }
            }
        }
        for (page, offset) in zip(pages, [0, 720]) {
            _ = page?.report(["v": "\(version)", "h": "1000", "e": "f,0,\(offset)"])
        }
        try bench.run(for: .seconds(5))
        #expect(holder.gallery == nil && weakGallery == nil)
    }

    @Test(arguments: [ThumbnailStrategy.lulls, .threads])
    func `a gallery may be let go of when it tells that nothing can be kept`(
        making: ThumbnailStrategy
    ) throws {
        let bench = try GalleryBench(rows: 30)
        let folder = TemporaryFolder()
        let cache = folder.file("cache")
        let holder = Holder()
        holder.gallery = try Gallery(
            of: bench.files.folder(), cache: ThumbnailDiskCache.thumbnails(in: cache),
            on: bench.loop,
            making: making, makesAhead: false)
        weak let weakGallery = holder.gallery
        try bench.run(for: .seconds(1))
        // A file where the folder was.
        #expect(unsafe rmdir(cache) == 0)
        unsafe close(creat(cache, 0o600))
        var told = 0
        holder.gallery?.source.onDiskCacheFailure = { _ in
            told += 1
            holder.gallery = nil
        }
        let version = try #require(holder.gallery?.catalogue.version)
        let page = holder.gallery.flatMap { DirectPage(of: $0, at: "10.0.0.1") { _, _ in } }
        _ = page?.report(["v": "\(version)", "h": "720", "e": "f,0,0"])
        try bench.run(for: .seconds(1))
        #expect(told == 1 && weakGallery == nil)
    }

    @Test func `a gallery that is closed takes all calls, and does nothing`() throws {
        let bench = try GalleryBench(rows: 30)
        let page = TestPage(of: bench)
        let other = TestPage(of: bench, at: "10.0.0.2")
        page.show(0)
        try bench.run(for: .milliseconds(5))
        bench.gallery.close()
        bench.gallery.close()
        page.show(1000)
        bench.gallery.catalogue.rescan()
        bench.gallery.trim()
        bench.gallery.announceEnd()
        bench.gallery.refuseWaiting()
        #expect(!TestPage(of: bench, at: "10.0.0.3").isOpen)
        other.show(0)
        page.leave()
        other.vanish()
        try bench.run(for: .seconds(40))
        #expect(bench.isConserved)
    }
}

import DeferredLoading
import GalleryCatalogue
import GalleryFiles
import IdleLoop
import ReplayText
import ScrollModel
import Testing

@testable import GalleryKit

/// The bounds of what is asked of a gallery over a connection.
struct AnswerLimitTests {
    private func client(_ web: WebBench) throws -> String {
        let text = web.post("/clients").bodyText
        return try #require(text.split(separator: "\"").dropFirst(3).first.map(String.init))
    }

    @Test func `requests that wait for pictures are so many in all, and of one address`() throws {
        for path in [\GalleryLimits.waiting, \.waitingPerAddress] {
            let web = try WebBench(limits: { $0[keyPath: path] = 0 })
            let key = web.gallery.catalogue.entry(atPosition: 0).key.text
            let answer = web.ask("/thumbnails/\(key)")
            #expect(answer.status == 503)
            #expect(answer.header("retry-after") == "1")
        }
        let web = try WebBench(limits: {
            $0.waiting = 1
            $0.waitingPerAddress = 1
        })
        for row in 0..<3 {
            let key = web.gallery.catalogue.entry(atPosition: row).key.text
            #expect(web.ask("/thumbnails/\(key)").status == 200)
        }
    }

    @Test func `whoever has a network has what an address may have, once`() throws {
        let web = try WebBench(limits: { $0.clientsPerAddress = 1 })
        _ = try client(web)
        // A page is counted by what all addresses of an IPv6 network of 64 bits have in common.
        #expect(web.gallery.clients.all.map(\.address) == [HexNumber.text(0xFFFF_7F00_0001)])
        #expect(web.post("/clients").status == 503)
    }

    @Test func `a gallery that is let go of takes its pages along`() throws {
        let bench = try GalleryBench(rows: 20)
        var gallery: Gallery? = try Gallery(of: bench.files.folder(), on: bench.loop)
        weak let weakGallery = gallery
        let page = try #require(
            gallery.flatMap { DirectPage(of: $0, at: "10.0.0.1") { _, _ in } })
        try bench.run(for: .milliseconds(700))
        #expect(page.report(["v": "1", "h": "700", "e": "f,0,0"]) == 204)
        try bench.run(for: .milliseconds(50))
        gallery = nil
        #expect(weakGallery == nil)
        try bench.run(for: .seconds(5))
    }

    @Test func `reports that come before the last was looked at are looked at with it`() throws {
        let bench = try GalleryBench(rows: 20)
        let page = try #require(
            DirectPage(of: bench.gallery, at: "10.0.0.1") { _, _ in })
        try bench.run(for: .seconds(1))
        let before = bench.gallery.reportQueue.statistics
        for number in 0..<5 {
            #expect(page.report(["v": "1", "h": "700", "e": "f,\(number),0"]) == 204)
        }
        #expect(bench.gallery.reportQueue.count == 1)
        #expect(bench.gallery.reportQueue.statistics.joined == before.joined + 4)
        page.leave()
    }
}

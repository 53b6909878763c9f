import DeferredLoading
import GalleryCatalogue
import GalleryFiles
import IdleLoop
import ScrollModel
import Testing

@testable import GalleryKit

/// A gallery whose loop is shut down, whatever it's at.
struct EndTests {
    @Test(arguments: 1...24)
    func `a shutdown comes to its end, and loses no job`(lull: Int) throws {
        let bench = try GalleryBench(rows: 60)
        let pages = (0..<3).map { TestPage(of: bench, at: "10.0.0.\($0)") }
        for (number, page) in pages.enumerated() { page.show(Double(number) * 720) }
        var reports: [ShutdownReport<String>]?
        var left = lull
        // Before the queues.
        let observer = bench.loop.observe(.beforeIdle, order: -1) { _ in
            left -= 1
            guard left == 0 else { return }
            bench.gallery.announceEnd()
            bench.loop.shutDown(within: .seconds(10)) { reports = $0 }
        }
        try bench.files.write("new.png")
        try bench.run(for: .milliseconds(900))
        // What comes too late.
        for page in pages { page.show(2000) }
        bench.gallery.catalogue.rescan()
        bench.gallery.trim()
        try bench.run(for: .seconds(20))
        observer.cancel()
        #expect(reports?.allSatisfy { $0.returned.isEmpty } == true)
        #expect(bench.isConserved)
        #expect(pages.allSatisfy { $0.events.contains { $0.name == "bye" } })
    }

    @Test func `a picture that is waited for is finished, and another isn't begun`() throws {
        let web = try WebBench()
        let targets = (0..<3).map {
            "/thumbnails/\(web.gallery.catalogue.entry(atPosition: $0).key.text)"
        }
        #expect(web.ask(targets[0]).status == 200)
        let awaited = web.follow(targets[1])
        #expect(web.turns { web.gallery.requests.count == 1 })
        web.gallery.announceEnd()
        var hasEnded = false
        web.loop.shutDown(within: .seconds(10)) { _ in hasEnded = true }
        let late = web.ask(targets[2])
        #expect(late.status == 503 && late.header("retry-after") == "1")
        #expect(web.ask(targets[0]).status == 200)
        #expect(web.turns { hasEnded && awaited.isOver })
        #expect(awaited.status == 200)
    }

    @Test func `who still waits when the time is over is told so`() throws {
        let web = try WebBench()
        let key = web.gallery.catalogue.entry(atPosition: 0).key.text
        let awaited = web.follow("/thumbnails/\(key)")
        #expect(web.turns { web.gallery.requests.count == 1 })
        web.gallery.announceEnd()
        web.loop.shutDown(within: .zero) { _ in web.gallery.refuseWaiting() }
        #expect(web.gallery.requests.count == 0)
        #expect(web.turns { awaited.isOver })
        #expect(awaited.status == 503)
        #expect(web.ask("/thumbnails/\(key)").status == 503)
    }
}

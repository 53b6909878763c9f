import Laboratory
import LullTesting
import ShippedTraces
import Testing

@testable import ReplayReport

struct DrawingTests {
    @Test func `a drawing is XML with a tooltip for each load`() throws {
        let log = try Played.log("chromium-desktop-fling-4500", height: 800)
        let drawing = try #require(Report([log]).drawings.first)
        let xml = XML(drawing)
        #expect(xml.isWellFormed)
        let titles = try #require(xml.counts["title"])
        #expect(titles >= RunAccount(log).bars.count)
        #expect(drawing.contains("prefers-color-scheme: dark"))
        #expect(drawing.contains("landing complete"))
    }

    @Test(arguments: Shipped.names)
    func `a panel takes about forty kilobytes`(name: String) throws {
        let logs = Played.logs(name)
        let drawing = try #require(Report(logs).drawings.first)
        #expect(XML(drawing).isWellFormed)
        #expect(drawing.utf8.count < 60_000 * logs.count)
        Attachment.record(drawing, named: "\(name).svg")
    }
}

import GalleryCatalogue
import GalleryFiles
import IdleLoop
import ReplayText
import Testing

@testable import GalleryKit
@testable import ScrollModel

/// Pages that show the list in an order and a flow of their own.
struct FlowTests {
    /// A report of a page in a flow.
    private func report(
        _ bench: GalleryBench, _ flow: String, at offset: Double = 0, height: Int = 720
    ) -> [String: String] {
        [
            "v": "\(bench.gallery.catalogue.version)", "h": "\(height)", "f": flow,
            "e": "f,\(Double(bench.now.nanoseconds / 10_000) / 100),\(offset)",
        ]
    }

    @Test func `pictures are loaded in the lines of each page`() throws {
        let bench = try GalleryBench(rows: 400)
        let (grid, list) = (TestPage(of: bench), TestPage(of: bench, at: "10.0.0.2"))
        #expect(grid.report(raw: report(bench, "1152", at: 300)) == 204)
        list.show(300)
        try bench.run(for: .seconds(2))
        let client = try #require(bench.client(at: grid.address))
        let viewport = try #require(client.viewport)
        // Squares of 176 px: six in a line of 188 px, of which five are in view, and a part of another.
        #expect(viewport.list.line(ofRowAt: 0) == 0..<6)
        #expect(viewport.visibleRows.bounds == 6..<36)
        #expect(Set(grid.rows).isSuperset(of: 6..<36) && grid.rows.count < 200)
        #expect(Set(list.rows).isSuperset(of: list.view) && list.rows.count < 60)
    }

    @Test func `another width keeps the first row in view`() throws {
        let bench = try GalleryBench(rows: 400)
        let page = TestPage(of: bench)
        _ = page.report(raw: report(bench, "1152", at: 3000))
        try bench.run(for: .seconds(1))
        let client = try #require(bench.client(at: page.address))
        let first = try #require(client.viewport).visibleRows.bounds.lowerBound
        _ = page.report(raw: [
            "v": "\(bench.gallery.catalogue.version)", "h": "720", "f": "352",
        ])
        try bench.run(for: .seconds(1))
        let viewport = try #require(client.viewport)
        #expect(viewport.list.line(ofRowAt: viewport.visibleRows.bounds.lowerBound).contains(first))
        #expect(client.arrangement.flow == .justified(width: 352))
    }

    @Test func `events wait for lines that have yet to be made`() throws {
        let bench = try GalleryBench(rows: 400)
        let page = TestPage(of: bench)
        let client = try #require(bench.client(at: page.address))
        _ = page.report(raw: report(bench, "512", at: 2000))
        #expect(client.arrangement.flow == .rows && client.arrangements.count == 2)
        #expect(client.unseen.count == 1)
        try bench.run(for: .seconds(1))
        #expect(client.arrangement.flow == .justified(width: 512) && client.arrangements.count == 1)
        #expect(client.viewport?.offset == 2000 && !page.rows.isEmpty)
    }

    @Test func `lines are kept as long as a page needs them`() throws {
        let bench = try GalleryBench(rows: 50)
        let catalogue = bench.gallery.catalogue
        let arrangement = ListArrangement(.name, flow: .justified(width: 1152))
        let pages = (0..<2).map { TestPage(of: bench, at: "10.0.0.\($0)") }
        for page in pages {
            _ = page.report(raw: report(bench, "1152"))
            try bench.run(for: .seconds(1))
        }
        pages[0].leave()
        #expect(catalogue.layout(arrangement) != nil)
        _ = pages[1].report(raw: report(bench, "320"))
        try bench.run(for: .seconds(1))
        #expect(catalogue.layout(arrangement) == nil)
        #expect(catalogue.layout(ListArrangement()) != nil)
    }

    @Test func `pages from one address have so many arrangements at a time`() throws {
        let bench = try GalleryBench(rows: 5)
        let widths = [160, 176, 192, 208, 224, 240, 256, 272, 288]
        let pages = widths.map { _ in TestPage(of: bench) }
        let statuses = zip(pages, widths).map { $0.report(raw: report(bench, "\($1)")) ?? 0 }
        #expect(statuses == Array(repeating: 204, count: 8) + [429])
        // One that others have takes no room, and other addresses have their own.
        #expect(pages[8].report(raw: report(bench, "160")) == 204)
        let other = TestPage(of: bench, at: "10.0.0.2")
        #expect(other.report(raw: report(bench, "288")) == 204)
        pages[1].leave()
        #expect(pages[8].report(raw: report(bench, "288")) == 204)
    }

    @Test func `unused lines are looked for once, however many pages waited for others`() throws {
        let bench = try GalleryBench(rows: 5)
        let pages = (0..<60).map { TestPage(of: bench, at: "10.0.1.\($0)") }
        let (catalogue, used) = (bench.gallery.catalogue, bench.gallery.catalogue.arrangementsInUse)
        var count = 0
        catalogue.arrangementsInUse = {
            count += 1
            return used?() ?? []
        }
        for page in pages { #expect(page.report(raw: report(bench, "512")) == 204) }
        try bench.run(for: .seconds(1))
        #expect(bench.gallery.clients.all.allSatisfy { $0.arrangements.count == 1 })
        #expect(catalogue.layout(ListArrangement(flow: .justified(width: 512))) != nil)
        #expect(count <= 2)
    }

    @Test func `a change of the flow counts for several reports`() throws {
        let bench = try GalleryBench(rows: 5)
        let page = TestPage(of: bench)
        let count = 120 / (1 + Client.arrangementCost)
        let statuses = (0...count).map {
            page.report(raw: report(bench, $0 % 2 == 0 ? "512" : "320")) ?? 0
        }
        #expect(statuses == Array(repeating: 204, count: count) + [429])
    }

    @Test func `lines follow the files while others are made`() throws {
        let bench = try GalleryBench(rows: 60)
        let page = TestPage(of: bench)
        let client = try #require(bench.client(at: page.address))
        for (number, width) in [512, 320, 1152, 160, 4096].enumerated() {
            try bench.files.write("new\(number).png")
            try bench.run(for: .milliseconds(20))
            #expect(page.report(raw: report(bench, "\(width)")) == 204)
            bench.files.delete("\(number).png")
            try bench.settle()
            #expect(client.arrangement.flow == .justified(width: width))
            #expect(
                client.viewport?.list == bench.gallery.catalogue.layout(client.arrangement))
        }
    }

    @Test func `a page by date has rows of its own`() throws {
        let bench = try GalleryBench(rows: 10)
        // The newest is the first.
        try bench.files.write("5.png", padding: 3)
        try bench.files.setDate(of: "7.png", to: 4_000_000_000)
        try bench.settle()
        var rows: [String] = []
        let page = try #require(
            DirectPage(of: bench.gallery, at: "10.0.0.1", by: .date) { name, data in
                if name == "thumbs" { rows.append(data) }
            })
        #expect(page.report(report(bench, "512")) == 204)
        try bench.run(for: .seconds(1))
        let key = bench.gallery.catalogue.entry(atPosition: 0, by: .date).key
        #expect(bench.gallery.catalogue.entry(of: key.id)?.path.name == "7.png")
        #expect(rows.joined().contains(#"[0,"\#(key.text)""#))
        let list = bench.gallery.listPages.list(by: .date, from: 0).rendered
        #expect(list.contains(#""sections":[["October 2096",0,1,25161],["#))
    }

    @Test func `only some widths are allowed`() {
        typealias Flow = ListArrangement.Flow
        #expect(Flow(text: "list") == .rows)
        for width in [160, 352, 512, 544, 1024, 1088, 2048, 2304, 4096] {
            #expect(Flow(text: "\(width)") == .justified(width: width))
        }
        for text in ["", "159", "161", "528", "1056", "2112", "4352", "-512", "512.0", "List"] {
            #expect(Flow(text: text) == nil, "\(text)")
        }
        #expect((0...5000).count { Flow(text: "\($0)") != nil } == 63)
    }
}

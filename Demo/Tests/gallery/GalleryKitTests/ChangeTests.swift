import GalleryCatalogue
import GalleryFiles
import IdleLoop
import ReplayText
import ScrollModel
import Testing

@testable import GalleryKit

/// What pages are told when files come and go.
struct ChangeTests {
    @Test func `a file that comes above the view is told with its place and shape`() throws {
        let bench = try GalleryBench(rows: 40)
        let page = TestPage(of: bench)
        page.show(1000)
        try bench.run(for: .seconds(2))
        let client = try #require(bench.client(at: page.address))
        let version = bench.gallery.catalogue.version
        let told = page.settled
        page.forget()
        try bench.files.write("3a.png", height: 100)
        try bench.settle()
        let changes = page.events("changed")
        // It came with a shape that was guessed, and then was measured.
        #expect(
            changes.map(\.data) == [
                #"{"from":\#(version),"to":\#(version + 1),"removed":[],"inserted":[[4,[96]]],"#
                    + #""measured":[],"sections":[["Pictures",0,41]]}"#,
                #"{"from":\#(version + 1),"to":\#(version + 2),"removed":[],"inserted":[],"#
                    + #""measured":[[4,5]]}"#,
            ])
        #expect(page.events("reload") == [])
        #expect(client.viewport?.offset == 1072)
        // The page is told of nothing that it has.
        page.show(1072)
        try bench.run(for: .seconds(5))
        #expect(page.isWhole && page.rows.allSatisfy { !page.view.contains($0) })
        #expect(page.settled.count == told.count + page.rows.count)
    }

    @Test func `a file that vanishes is told as a change`() throws {
        let bench = try GalleryBench(rows: 40)
        let page = TestPage(of: bench)
        page.show(1000)
        try bench.run(for: .seconds(2))
        let client = try #require(bench.client(at: page.address))
        let version = bench.gallery.catalogue.version
        page.forget()
        bench.files.delete("3.png")
        bench.files.delete("4.png")
        bench.files.delete("20.png")
        try bench.settle()
        #expect(
            page.events("changed").map(\.data) == [
                #"{"from":\#(version),"to":\#(version + 1),"removed":[[3,2],[20,1]],"inserted":[],"#
                    + #""measured":[],"sections":[["Pictures",0,37]]}"#
            ])
        #expect(client.viewport?.offset == 1000 - 2 * GalleryBench.rowHeight)
        #expect(page.events("failed") == [])
        page.show(try #require(client.viewport).offset)
        try bench.run(for: .seconds(2))
        #expect(page.isWhole && bench.isConserved)
    }

    @Test func `a file that is replaced is told anew`() throws {
        let bench = try GalleryBench(rows: 5)
        let page = TestPage(of: bench)
        page.show(0)
        try bench.run(for: .seconds(2))
        page.forget()
        try bench.files.write("2.png")
        try bench.settle()
        try bench.run(for: .seconds(2))
        #expect(page.rows == [2])
        let change = try #require(page.events("changed").first)
        #expect(change.data.contains(#""removed":[[2,1]],"inserted":[[2,[96]]]"#))
    }

    @Test func `a file that vanishes while it's read goes by a change alone`() throws {
        let bench = try GalleryBench(rows: 10)
        bench.files.delete("4.png")
        let page = TestPage(of: bench)
        page.show(0)
        try bench.run(for: .seconds(3))
        #expect(page.events("changed").count == 1)
        #expect(page.events("failed").count <= 1)
        #expect(page.isWhole && bench.gallery.catalogue.rowCount == 9)
    }

    @Test func `sections come with the folders that have pictures`() throws {
        let bench = try GalleryBench(rows: 2)
        let page = TestPage(of: bench)
        page.show(0)
        try bench.run(for: .seconds(1))
        page.forget()
        bench.files.makeFolder("a")
        try bench.files.write("a/0.png")
        try bench.settle()
        let change = try #require(page.events("changed").first)
        #expect(change.data.contains(#""inserted":[[2,[96]]]"#))
        #expect(change.data.hasSuffix(#""sections":[["Pictures",0,2],["a",2,1]]}"#))
    }

    @Test func `too much change is one word, soon at first, then each two seconds`() throws {
        // What sections there are is said with each change; here that's much.
        let bench = try GalleryBench(rows: 3) { files in
            for number in 0..<150 {
                let folder = String(repeating: "x", count: 240) + "\(number)"
                files.makeFolder(folder)
                try files.write("\(folder)/0.png")
            }
        }
        let page = TestPage(of: bench)
        try bench.run(for: .seconds(1))
        page.forget()
        for round in 0..<20 {
            try bench.files.write("x\(round).png")
            try bench.run(for: .milliseconds(600))
        }
        try bench.settle()
        try bench.run(for: .seconds(5))
        let reloads = page.events("reload")
        let pauses = zip(reloads, reloads.dropFirst()).map { $0.moment.duration(to: $1.moment) }
        #expect(pauses.count > 5)
        for (pause, least) in zip(pauses, [250, 500, 1000] + Array(repeating: 2000, count: 20)) {
            #expect(pause >= .milliseconds(least))
        }
        #expect(pauses[0] < .seconds(1))
        // Whoever begins anew isn't told of changes between.
        #expect(page.events.last?.name == "reload")
        #expect(reloads.last?.data == #"{"version":\#(bench.gallery.catalogue.version)}"#)
    }
}

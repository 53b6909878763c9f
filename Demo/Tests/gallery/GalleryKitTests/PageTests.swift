import DeferredLoading
import GalleryCatalogue
import GalleryFiles
import GalleryPictures
import IdleLoop
import TestSupport
import ImageLoading
import Testing

@testable import GalleryKit

/// What pages are told of pictures, and when they're forgotten.
struct PageTests {
    @Test func `a page is told of what is in view first, of each once`() throws {
        let bench = try GalleryBench(rows: 60)
        let page = TestPage(of: bench)
        page.show(0)
        try bench.run(for: .seconds(2))
        let view = Array(page.view)
        #expect(view == Array(0..<10))
        #expect(page.events.first?.name == "hello")
        // Those in view come before all that is only near, the uppermost of them first.
        #expect(Array(page.rows.prefix(view.count)) == view)
        #expect((15..<60).contains(page.rows.count))
        // Another look at the same place tells nothing again.
        page.show(0)
        try bench.run(for: .seconds(5))
        #expect(Set(page.rows).count == page.rows.count)
        #expect(Set(page.rows.compactMap { bench.key($0)?.text }) == page.settled)
    }

    @Test func `rows that a long way passes are told if they can be shown in time`() throws {
        func told(delivery: Int, throughput: Double = 0, age: Double = 0) throws -> Int {
            let bench = try GalleryBench(rows: 200)
            let page = TestPage(of: bench)
            page.delivery = delivery
            page.throughput = throughput
            page.show(10_000)
            try bench.run(for: .seconds(1))
            page.forget()
            page.report(["t,\(Double(bench.now.nanoseconds / 10_000) / 100 - age)"])
            for offset in stride(from: 9_600.0, through: 0, by: -400) {
                try bench.run(for: .milliseconds(33))
                page.show(offset, reportedAfter: age)
            }
            // Far from what is loaded around either end.
            let count = page.rows.count(where: (50..<100).contains)
            try bench.run(for: .seconds(1))
            #expect(page.isWhole)
            return count
        }
        let (near, far) = (try told(delivery: 0), try told(delivery: 900))
        #expect(near > far, "\(near) and \(far)")
        #expect(try told(delivery: 0, throughput: 1e6) == near)
        // Of a late report the rows have been passed meanwhile.
        let late = try told(delivery: 0, age: 900)
        #expect(late < near, "\(late) and \(near)")
    }

    @Test func `a row occupies a page's link by the usual size of its pictures`() throws {
        let bench = try GalleryBench(rows: 20)
        let page = TestPage(of: bench)
        func transfer(_ throughput: Double) throws -> Duration? {
            page.throughput = throughput
            page.show(0)
            try bench.run(for: .milliseconds(100))
            return bench.client(at: page.address)?.transfer
        }
        _ = try transfer(2)
        let size = bench.gallery.thumbnails.usualBytes
        #expect(size > 0)
        #expect(try transfer(0) == .zero)
        #expect(try transfer(2) == .seconds(size / 2_000))
        #expect(try transfer(0.1) == .seconds(5))
    }

    @Test func `a page whose pictures come late is sent previews of what is in view`() throws {
        let bench = try GalleryBench(rows: 200)
        func previews(of page: TestPage) -> [Int] {
            page.events("thumbs").flatMap {
                $0.data.matches(of: #/\[(\d+),"[\da-f-]+","[\w+/=]+"\]/#).map(\.output.1)
            }.compactMap { Int($0) }
        }
        func page(at address: String, delivery: Int) throws -> TestPage {
            let page = TestPage(of: bench, at: address)
            page.delivery = delivery
            page.show(0)
            try bench.run(for: .seconds(1))
            return page
        }
        let near = try page(at: "10.0.0.1", delivery: 100)
        #expect(near.isWhole && previews(of: near).isEmpty)
        let far = try page(at: "10.0.0.2", delivery: 400)
        #expect(Set(previews(of: far)) == Set(far.view))
        // Their header comes with the first of them, once.
        #expect(far.events("thumbs").filter { $0.data.contains(#""h":""#) }.count == 1)
        #expect(far.events("thumbs").first?.data.contains(#""h":""#) == true)
        // Rows that are flung over or landed on before their pictures could come have them, too.
        far.forget()
        try far.fling(at: 9000)
        let later = previews(of: far)
        #expect(!later.isEmpty && later.count < far.rows.count)
        #expect(far.events.allSatisfy { !$0.data.contains(#""h":""#) })
    }

    @Test func `a new stream is told again, an old one isn't`() throws {
        let bench = try GalleryBench(rows: 20)
        let client = try #require(bench.gallery.clients.open(at: "10.0.0.1"))
        let first = TestStream()
        client.begin(first)
        let version = "\(bench.gallery.catalogue.version)"
        let report = ["v": version, "h": "720", "e": "f,500,0"]
        #expect(client.take(report) == 204)
        try bench.run(for: .seconds(1))
        #expect(first.rows.count >= 10)
        client.handleSoon()
        try bench.run(for: .seconds(5))
        #expect(first.rows.count <= 20)
        let second = TestStream()
        client.begin(second)
        #expect(!first.isOpen && client.stream === second)
        try bench.run(for: .seconds(5))
        #expect(second.names.first == "hello")
        // What was made is there still, and all of it is told at once.
        #expect(second.rows.count >= 10)
        #expect(second.count("thumbs") < second.rows.count)
        #expect(bench.gallery.source.statistics.decodedInSlices <= 20)
    }

    @Test func `what was made for one page is there for another at once`() throws {
        let bench = try GalleryBench(rows: 40)
        let first = TestPage(of: bench, at: "10.0.0.1")
        first.show(0)
        try bench.run(for: .seconds(2))
        let made = bench.made
        #expect(made >= 10)
        let second = TestPage(of: bench, at: "10.0.0.2")
        let opened = bench.now
        second.show(0)
        try bench.run(for: .milliseconds(30))
        #expect(second.isWhole)
        let told = second.events("thumbs").map { opened.duration(to: $0.moment) }
        #expect(told.allSatisfy { $0 < .milliseconds(2) })
        try bench.run(for: .seconds(2))
        #expect(bench.made == Set(first.rows + second.rows).count)
        #expect(second.rows.count >= 10)
    }

    @Test func `two pages that want the same have it made once`() throws {
        let bench = try GalleryBench(rows: 10)
        let pages = (1...3).map { TestPage(of: bench, at: "10.0.0.\($0)") }
        for page in pages { page.show(0) }
        try bench.run(for: .seconds(3))
        for page in pages { #expect(page.isWhole && page.rows.sorted() == Array(0..<10)) }
        #expect(bench.made == 10)
        #expect(bench.gallery.source.statistics.decodedInSlices == 10)
        #expect(bench.isConserved)
    }

    @Test func `a picture that is none is told as failed, once`() throws {
        let bench = try GalleryBench(rows: 5) { files in
            files.write(Array("no picture".utf8), to: "2.png")
            files.write([], to: "3.png")
        }
        let page = TestPage(of: bench)
        page.show(0)
        try bench.run(for: .seconds(20))
        page.show(0)
        try bench.run(for: .seconds(20))
        let failed = page.events("failed")
        #expect(failed.flatMap(\.rows).sorted() == [2, 3])
        #expect(failed.contains { $0.data.hasSuffix(#"[[3,"its file is empty"]]}"#) })
        #expect(page.rows.sorted() == [0, 1, 4])
        #expect(page.isWhole && bench.isConserved)
    }

    // MARK: - Pages that go

    @Test(arguments: [false, true])
    func `a page that goes is freed, and its work taken back`(_ saysSo: Bool) throws {
        let bench = try GalleryBench(rows: 40)
        let page = TestPage(of: bench)
        page.show(0)
        try bench.run(for: .milliseconds(2))
        weak let client = bench.client(at: page.address)
        #expect(client != nil)
        if saysSo { page.leave() } else { page.vanish() }
        #expect((client == nil) == saysSo)
        try bench.run(for: saysSo ? .seconds(1) : .seconds(29))
        #expect((client == nil) == saysSo)
        try bench.run(for: .seconds(2))
        #expect(client == nil)
        #expect(bench.gallery.clientCount == 0)
        #expect(bench.gallery.pictures.isEmpty && bench.gallery.reportQueue.isEmpty)
        if saysSo { #expect(bench.made < 40) }
        #expect(bench.isConserved)
    }

    @Test func `of many pages that go together some are forgotten at a time`() throws {
        let bench = try GalleryBench(rows: 5)
        let pages = (0..<40).map { TestPage(of: bench, at: "10.0.0.\($0)") }
        try bench.run(for: .seconds(1))
        for page in pages { page.vanish() }
        let end = bench.now.advanced(by: .seconds(30))
        let clients = bench.gallery.clients
        #expect(clients.forgetSilent(at: end) == end)
        #expect(clients.count == 24)
        #expect(clients.forgetSilent(at: end) == end)
        #expect(clients.forgetSilent(at: end) == nil)
        #expect(clients.count == 0)
        // The gallery itself goes on until all are gone.
        let others = (0..<40).map { TestPage(of: bench, at: "10.0.0.\($0)") }
        for page in others { page.vanish() }
        try bench.run(for: .seconds(31))
        #expect(bench.gallery.clientCount == 0)
    }

    @Test func `a page without a stream that is heard of stays`() throws {
        let bench = try GalleryBench(rows: 5)
        let client = try #require(bench.gallery.clients.open(at: "10.0.0.1"))
        for _ in 0..<4 {
            try bench.run(for: .seconds(29))
            #expect(bench.gallery.clientCount == 1)
            #expect(client.take(["v": "1", "h": "720"]) == 204)
        }
        try bench.run(for: .seconds(31))
        #expect(bench.gallery.clientCount == 0)
    }

    @Test func `a page whose stream is open stays for hours`() throws {
        let bench = try GalleryBench(rows: 5)
        let page = TestPage(of: bench)
        try bench.run(for: .seconds(7200))
        #expect(bench.gallery.clientCount == 1)
        page.vanish()
        try bench.run(for: .seconds(31))
        #expect(bench.gallery.clientCount == 0)
    }
}

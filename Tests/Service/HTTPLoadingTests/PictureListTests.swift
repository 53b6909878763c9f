import CPictureEncoders
import DeferredLoading
import Glibc
import HTTPLoading
import IdleLoop
import ImageLoading
import TestServer
import Testing

/// Pictures that are fetched, decoded in lulls and shown: all of it on one thread.
struct PictureListTests {
    private struct Pictures: LoadSource {
        let http: HTTPLoader
        let server: TestServer

        func fetch(_ row: Int) -> Fetch<HTTPLoadResponse>? {
            Fetch(HTTPLoadRequest(server.url("/\(row).jpg")), by: http)
        }

        func load(_ row: Int, fetched body: HTTPLoadResponse?) throws -> any Load<Picture> {
            guard let body else { throw Missing() }
            return PictureLoad(
                PictureJob(
                    bytes: body.bytes, named: body.url, fitting: PixelSize(width: 16, height: 16)))
        }

        func size(ofFetched body: HTTPLoadResponse) -> Int { body.bytes.count }
    }

    private struct Missing: Error {}

    private final class PictureLoad: Load {
        let decoder: PictureJob

        init(_ decoder: PictureJob) {
            self.decoder = decoder
        }

        func step(in slot: borrowing IdleSlot) throws -> LoadStep<Picture> {
            repeat {
                switch try decoder.step() {
                case .done(let picture): return .done(picture)
                case .refined(let picture): return .refined(picture)
                case .more, .waiting: break
                }
            } while !slot.isOver
            return .more
        }
    }

    /// A picture that is all of one grey.
    private func jpeg(grey: Int) -> [UInt8] {
        let pixels = [UInt8](repeating: UInt8(grey), count: 64 * 64)
        let layout = JPEGLayout(
            width: 64, height: 64, channels: 1, progressive: false, separate: false,
            arithmetic: false, ycck: false,
            restart_rows: 0)
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe encode_jpeg(pixels, layout, &bytes)
        defer { unsafe free(bytes) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    private func row(of request: TestServer.Request) -> Int {
        Int(request.path.dropFirst().prefix { $0.isNumber }) ?? 0
    }

    private func rows(_ range: Range<Int>) -> [Wanted<Int>] {
        range.map { Wanted($0, urgency: .visible, rank: $0) }
    }

    @Test func `rows show what a server sends, and what fails is tried again or never`() throws {
        let bench = try LoaderBench()
        var tries: [Int: Int] = [:]
        bench.server.answer = { [unowned bench] request in
            let row = row(of: request)
            tries[row, default: 0] += 1
            if row == 3, tries[3] == 1 { return [.close] }
            if row == 4 { return TestServer.reply("", status: "404 Gone") }
            if row == 5 { return TestServer.reply("<html>") }
            _ = bench
            return TestServer.reply(jpeg(grey: 10 * row))
        }
        let queue = IdleQueue<Int>(on: bench.loop)
        var shown: [Int: Picture] = [:]
        var configuration = LoaderConfiguration()
        configuration.backoff.first = .milliseconds(1)
        let loader = DeferredLoader(
            queue: queue, source: Pictures(http: bench.loader, server: bench.server),
            configuration: configuration)
        let list = loader.list { shown[$0] = $1.shown }
        for row in 0..<8 { list.subscribe(to: row) }
        list.reconcile(with: rows(0..<8))
        try bench.run {
            (0..<8).allSatisfy {
                loader.state(of: $0).isSettled && !($0 == 3 && loader.state(of: 3).value == nil)
            }
        }
        #expect(shown.keys.sorted() == [0, 1, 2, 3, 6, 7])
        for (row, picture) in shown {
            #expect(picture.size == PixelSize(width: 16, height: 16))
            #expect(picture.pixels.first.map { abs(Int($0) - 10 * row) <= 3 } == true)
        }
        #expect(tries[3] == 2 && tries[4] == 1 && tries[5] == 1)
        guard case .failed(HTTPLoadError.status(404, _), nextTry: nil) = loader.state(of: 4) else {
            Issue.record("it isn't there: \(loader.state(of: 4))")
            return
        }
        loader.checkInvariants()
        queue.checkInvariants()
    }

    @Test func `transfers of rows that leave are cancelled, and those that stay go on`() throws {
        let bench = try LoaderBench { $0.connections = 4 }
        var isOpen = false
        bench.server.answer = { request in
            isOpen || row(of: request) == 3
                ? TestServer.reply(jpeg(grey: 10 * (row(of: request) % 20))) : []
        }
        let queue = IdleQueue<Int>(on: bench.loop)
        var configuration = LoaderConfiguration()
        configuration.operations = 4
        var shown: Set<Int> = []
        let loader = DeferredLoader(
            queue: queue, source: Pictures(http: bench.loader, server: bench.server),
            configuration: configuration)
        let list = loader.list { row, state in
            if state.shown != nil { shown.insert(row) }
        }
        for row in 0..<10 { list.subscribe(to: row) }
        list.reconcile(with: rows(0..<10))
        try bench.run { bench.server.requests.count == 5 && shown == [3] }
        #expect(bench.loader.counts == (4, 0))
        // The list is flung: 0, 1, 2 and 4 are under way, 5 to 9 wait for their places.
        isOpen = true
        for row in 0..<10 { list.unsubscribe(from: row) }
        for row in 100..<110 { list.subscribe(to: row) }
        list.reconcile(with: rows(100..<110))
        try bench.run { shown.isSuperset(of: 100..<110) }
        #expect(shown.count == 11, "nothing is told of a row that has left")
        #expect(bench.loader.statistics.cancelled == 4)
        #expect(
            bench.server.requests.map { row(of: $0) }.filter { $0 < 100 }.sorted() == [
                0, 1, 2, 3, 4,
            ])
        #expect(bench.server.mostConnections <= 8)
        try bench.run { bench.server.walkouts == 0 && bench.server.departures >= 4 }
        loader.close()
        #expect(bench.loader.counts == (0, 0))
        #expect(queue.isEmpty)
    }
}

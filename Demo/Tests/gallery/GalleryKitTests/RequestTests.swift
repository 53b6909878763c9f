import GalleryCatalogue
import GalleryFiles
import GalleryPictures
import IdleLoop
import Testing

@testable import DeferredLoading
@testable import GalleryKit

/// Requests for pictures of many addresses: whoever asks for much keeps nobody waiting who asks for
/// little.
struct RequestTests {
    /// A request on virtual time, that takes down when it was answered.
    private final class Request: PictureExchange {
        let owner: String
        let isAhead: Bool
        var onEnd: (() -> Void)?
        var hasLeft = false
        private(set) var status: Int?
        private let book: Book

        init(from address: String, isAhead: Bool, in book: Book) {
            owner = address
            self.isAhead = isAhead
            self.book = book
        }

        func reply(_ status: Int, _ headers: [(String, String)], _ body: [UInt8]) {
            guard self.status == nil else { return }
            self.status = status
            book.answered.append(self)
            onEnd?()
        }
    }

    /// The requests that were answered, in that order.
    private final class Book {
        var answered: [Request] = []
    }

    private let book = Book()

    /// 260 pictures that are quickly made, and after them 260 that are expected to take long.
    private func bench(_ change: (inout GalleryLimits) -> Void = { _ in }) throws -> GalleryBench {
        var limits = GalleryLimits()
        limits.longPicture = .milliseconds(1)
        limits.processors = 4
        change(&limits)
        return try GalleryBench(rows: 0, limits: limits) { files in
            for row in 0..<260 { try files.write("a\(row).png") }
            for row in 0..<260 { try files.write("b\(row).png", padding: 100_000) }
        }
    }

    private func ask(
        _ bench: GalleryBench, _ row: Int, _ kind: ThumbnailKind, at address: String,
        isAhead: Bool = false
    ) -> Request {
        let request = Request(from: address, isAhead: isAhead, in: book)
        let key = bench.gallery.catalogue.entry(atPosition: row).key
        bench.gallery.requests.answer(request, with: ThumbnailKey(picture: key, size: kind))
        return request
    }

    /// Eight strangers ask for as much as they may.
    private func askMuch(_ bench: GalleryBench, from first: Int, _ kind: ThumbnailKind) -> [Request]
    {
        (0..<8 * 31).map { number in
            ask(bench, first + number, kind, at: "10.0.0.\(number / 31)")
        }
    }

    @Test(arguments: [0, 1, 5, 20, 60], [true, false])
    func `who asks for one waits for no more than each stranger's next`(
        _ milliseconds: Int, _ areLong: Bool
    ) throws {
        let bench = try bench()
        let others = askMuch(bench, from: areLong ? 260 : 0, areLong ? .view : .row)
        try bench.run(for: .milliseconds(Int64(milliseconds)))
        let before = book.answered.count
        let own = ask(bench, 259, .row, at: "10.0.1.1")
        var turns = 0
        while own.status == nil, turns < 4000 {
            try bench.run(for: .microseconds(100))
            turns += 1
        }
        #expect(own.status == 200)
        let waitedFor = book.answered.count - before - 1
        // Of those that take long no more are begun than leave a worker free.
        #expect(waitedFor <= (areLong ? 2 : 8), "\(waitedFor)")
        try bench.run(for: .seconds(20))
        #expect(others.allSatisfy { $0.status == 200 })
        #expect(bench.isConserved)
        bench.gallery.loader.checkInvariants()
    }

    @Test(arguments: zip([1, 2, 3, 8], [1, 1, 2, 2]))
    func `of pictures that take long fewer are begun than there are workers and processors`(
        processors: Int, expected: Int
    ) throws {
        #expect(try mostBegun(from: 260, processors) == expected)
    }

    @Test(arguments: zip([2, 3], [1, 2]))
    func `large views leave a worker free for rows, however quickly they're made`(
        processors: Int, expected: Int
    ) throws {
        #expect(try mostBegun(from: 0, processors) == expected)
    }

    @Test func `a row's picture waits for no large view, even if it's said to take as long`() throws
    {
        let bench = try bench { $0.processors = 1 }
        let others = askMuch(bench, from: 260, .view)
        #expect(bench.gallery.pictures.count == 1)
        let own = ask(bench, 500, .row, at: "10.0.1.1")
        let next = ask(bench, 501, .row, at: "10.0.1.1")
        #expect(bench.gallery.pictures.count == 2)
        try bench.run(for: .milliseconds(20))
        #expect(own.status == 200 && next.status == 200)
        #expect(others.contains { $0.status == nil })
    }

    /// How many large views are being made at once while strangers ask for many.
    private func mostBegun(from first: Int, _ processors: Int) throws -> Int {
        let bench = try bench { $0.processors = processors }
        let others = askMuch(bench, from: first, .view)
        var most = 0
        for _ in 0..<20_000 where others.contains(where: { $0.status == nil }) {
            most = max(most, bench.gallery.pictures.count)
            try bench.run(for: .microseconds(500))
        }
        return most
    }

    @Test func `addresses have their parts by what they ask for`() throws {
        let bench = try bench()
        // One asks for 30 that take long, and one after it for 30 that don't.
        let long = (0..<30).map { ask(bench, 260 + $0, .view, at: "10.0.0.1") }
        let short = (0..<30).map { ask(bench, $0, .row, at: "10.0.0.2") }
        while short.contains(where: { $0.status == nil }) { try bench.run(for: .milliseconds(1)) }
        #expect(long.count { $0.status != nil } <= 8)
    }

    @Test func `who has left waits for nothing, and keeps nobody waiting`() throws {
        let bench = try bench()
        let others = askMuch(bench, from: 260, .view)
        for request in others { request.hasLeft = true }
        let before = bench.made
        try bench.run(for: PictureRequests.patience + .milliseconds(20))
        #expect(bench.gallery.requests.count == 0)
        let made = bench.made
        // Workers end what they have begun.
        #expect(made - before <= 2 * 250 / 3 + 2)
        try bench.run(for: .seconds(10))
        #expect(bench.made <= made + 2)
        #expect(bench.gallery.pictures.isEmpty && bench.isConserved)
        #expect(ask(bench, 500, .view, at: "10.0.0.1").status == nil)
    }

    @Test func `a connection that ends takes its request back at once`() throws {
        let bench = try bench()
        let others = askMuch(bench, from: 260, .view)
        let before = bench.made
        for request in others { request.onEnd?() }
        #expect(bench.gallery.requests.count == 0)
        try bench.run(for: .seconds(10))
        #expect(bench.made - before <= 2)
        #expect(bench.gallery.pictures.isEmpty && bench.isConserved)
    }

    @Test func `so many requests of an address wait, and others have room`() throws {
        let bench = try bench()
        let most = bench.gallery.limits.waitingPerAddress
        let own = (0...most).map { ask(bench, 260 + $0, .view, at: "10.0.0.1") }
        #expect(own.map(\.status) == Array(repeating: nil, count: most) + [503])
        #expect(ask(bench, 400, .view, at: "10.0.0.2").status == nil)
    }

    @Test func `when all places are taken, whoever has most of them gives one`() throws {
        let bench = try bench()
        let limits = bench.gallery.limits
        let count = limits.waiting / limits.waitingPerAddress
        var others: [Request] = []
        for address in 0..<count {
            for number in 0..<limits.waitingPerAddress {
                let row = 260 + address * limits.waitingPerAddress + number
                others.append(ask(bench, row, .view, at: "10.0.0.\(address)"))
            }
        }
        #expect(bench.gallery.requests.count == limits.waiting)
        let own = ask(bench, 3, .row, at: "10.0.1.1")
        #expect(own.status == nil && bench.gallery.requests.count == limits.waiting)
        #expect(others.count { $0.status == 503 } == 1)
        #expect(book.answered.first === others.last)
        // Nobody has more than all others have.
        #expect(ask(bench, 4, .row, at: "10.0.0.0").status == 503)
        try bench.run(for: .milliseconds(20))
        #expect(own.status == 200)
    }

    @Test func `two who wait for one picture are answered together, as soon as the first is due`()
        throws
    {
        let bench = try bench()
        let others = askMuch(bench, from: 260, .view)
        // The last of the first stranger's.
        let own = ask(bench, 260 + 30, .view, at: "10.0.1.1")
        while own.status == nil { try bench.run(for: .milliseconds(1)) }
        #expect(others[30].status == 200)
        #expect(book.answered.count <= 2 + 8 + 2)
    }

    @Test func `what is asked for ahead waits for all that somebody waits for`() throws {
        let bench = try bench()
        let ahead = (0..<6).map { ask(bench, 260 + $0, .view, at: "10.0.0.1", isAhead: true) }
        let others = (6..<12).map { ask(bench, 260 + $0, .view, at: "10.0.0.1") }
        // Somebody turns to the last of them.
        let turned = ask(bench, 265, .view, at: "10.0.0.1")
        while book.answered.count < 13 { try bench.run(for: .milliseconds(1)) }
        let order = book.answered.map { request in
            request.isAhead ? "ahead" : "other"
        }
        // Workers end the two that were begun before anything else was asked for.
        let late = order.lastIndex { $0 != "ahead" } ?? 0
        #expect(order[...late].count { $0 == "ahead" } <= 3, "\(order)")
        #expect(others.allSatisfy { $0.status == 200 } && turned.status == 200)
        #expect(ahead.allSatisfy { $0.status == 200 } && bench.isConserved)
    }

    // MARK: - Turns

    @Test func `who had more than his part comes later, until others have had theirs`() {
        var turns = FairQueue()
        turns.charge(.milliseconds(80), to: "a")
        var charges = 0
        func next(_ address: String) -> Int64 { turns.end(of: .milliseconds(10), for: address) }
        while next("b") < next("a") {
            turns.charge(.milliseconds(10), to: "b")
            charges += 1
        }
        #expect(charges == 8)
    }

    @Test func `so many addresses are remembered`() {
        var turns = FairQueue()
        for number in 0..<5000 { turns.charge(.seconds(1 + number), to: "\(number)") }
        #expect(turns.addressCount <= FairQueue.mostAddresses)
    }
}

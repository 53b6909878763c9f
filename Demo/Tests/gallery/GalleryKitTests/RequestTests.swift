import DeferredLoading
import GalleryCatalogue
import GalleryFiles
import GalleryPictures
import IdleLoop
import Testing

@testable import GalleryKit

/// Requests for pictures of many addresses: whoever asks for much keeps nobody waiting who asks for
/// little.
struct RequestTests {
    /// A request on virtual time, that takes down when it was answered.
    private final class Request: PictureExchange {
        let owner: String
        var onEnd: (() -> Void)?
        var hasLeft = false
        private(set) var status: Int?
        private let book: Book

        init(from address: String, in book: Book) {
            owner = address
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
    private func house(_ change: (inout GalleryLimits) -> Void = { _ in }) throws -> GalleryHouse {
        var limits = GalleryLimits()
        limits.longPicture = .milliseconds(1)
        limits.processors = 4
        change(&limits)
        return try GalleryHouse(rows: 0, limits: limits) { files in
            for row in 0..<260 { try files.write("a\(row).png") }
            for row in 0..<260 { try files.write("b\(row).png", padding: 100_000) }
        }
    }

    private func ask(
        _ house: GalleryHouse, _ row: Int, _ kind: ThumbnailKind, at address: String
    ) -> Request {
        let request = Request(from: address, in: book)
        let key = house.gallery.catalogue.entry(atPosition: row).key
        house.gallery.answers.answer(request, with: ThumbnailKey(picture: key, size: kind))
        return request
    }

    /// Eight strangers ask for as much as they may.
    private func askMuch(_ house: GalleryHouse, from first: Int, _ kind: ThumbnailKind) -> [Request]
    {
        (0..<8 * 31).map { number in
            ask(house, first + number, kind, at: "10.0.0.\(number / 31)")
        }
    }

    @Test(arguments: [0, 1, 5, 20, 60], [true, false])
    func `who asks for one waits for no more than each stranger's next`(
        _ milliseconds: Int, _ areLong: Bool
    ) throws {
        let house = try house()
        let others = askMuch(house, from: areLong ? 260 : 0, areLong ? .view : .row)
        try house.run(for: .milliseconds(Int64(milliseconds)))
        let before = book.answered.count
        let own = ask(house, 259, .row, at: "10.0.1.1")
        var turns = 0
        while own.status == nil, turns < 4000 {
            try house.run(for: .microseconds(100))
            turns += 1
        }
        #expect(own.status == 200)
        let waitedFor = book.answered.count - before - 1
        // Of those that take long no more are begun than leave a worker free.
        #expect(waitedFor <= (areLong ? 2 : 8), "\(waitedFor)")
        try house.run(for: .seconds(20))
        #expect(others.allSatisfy { $0.status == 200 })
        #expect(house.isConserved)
        house.gallery.loader.checkInvariants()
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
        let house = try house { $0.processors = 1 }
        let others = askMuch(house, from: 260, .view)
        #expect(house.gallery.pictures.count == 1)
        let own = ask(house, 500, .row, at: "10.0.1.1")
        let next = ask(house, 501, .row, at: "10.0.1.1")
        #expect(house.gallery.pictures.count == 2)
        try house.run(for: .milliseconds(20))
        #expect(own.status == 200 && next.status == 200)
        #expect(others.contains { $0.status == nil })
    }

    /// How many large views are being made at once while strangers ask for many.
    private func mostBegun(from first: Int, _ processors: Int) throws -> Int {
        let house = try house { $0.processors = processors }
        let others = askMuch(house, from: first, .view)
        var most = 0
        for _ in 0..<20_000 where others.contains(where: { $0.status == nil }) {
            most = max(most, house.gallery.pictures.count)
            try house.run(for: .microseconds(500))
        }
        return most
    }

    @Test func `addresses have their parts by what they ask for`() throws {
        let house = try house()
        // One asks for 30 that take long, and one after it for 30 that don't.
        let long = (0..<30).map { ask(house, 260 + $0, .view, at: "10.0.0.1") }
        let short = (0..<30).map { ask(house, $0, .row, at: "10.0.0.2") }
        while short.contains(where: { $0.status == nil }) { try house.run(for: .milliseconds(1)) }
        #expect(long.count { $0.status != nil } <= 8)
    }

    @Test func `who has left waits for nothing, and keeps nobody waiting`() throws {
        let house = try house()
        let others = askMuch(house, from: 260, .view)
        for request in others { request.hasLeft = true }
        let before = house.made
        try house.run(for: PictureAnswers.patience + .milliseconds(20))
        #expect(house.gallery.answers.count == 0)
        let made = house.made
        // Workers end what they have begun.
        #expect(made - before <= 2 * 250 / 3 + 2)
        try house.run(for: .seconds(10))
        #expect(house.made <= made + 2)
        #expect(house.gallery.pictures.isEmpty && house.isConserved)
        #expect(ask(house, 500, .view, at: "10.0.0.1").status == nil)
    }

    @Test func `a connection that ends takes its request back at once`() throws {
        let house = try house()
        let others = askMuch(house, from: 260, .view)
        let before = house.made
        for request in others { request.onEnd?() }
        #expect(house.gallery.answers.count == 0)
        try house.run(for: .seconds(10))
        #expect(house.made - before <= 2)
        #expect(house.gallery.pictures.isEmpty && house.isConserved)
    }

    @Test func `when all places are taken, whoever has most of them gives one`() throws {
        let house = try house()
        let limits = house.gallery.limits
        let count = limits.waiting / limits.waitingPerAddress
        var others: [Request] = []
        for address in 0..<count {
            for number in 0..<limits.waitingPerAddress {
                let row = 260 + address * limits.waitingPerAddress + number
                others.append(ask(house, row, .view, at: "10.0.0.\(address)"))
            }
        }
        #expect(house.gallery.answers.count == limits.waiting)
        let own = ask(house, 3, .row, at: "10.0.1.1")
        #expect(own.status == nil && house.gallery.answers.count == limits.waiting)
        #expect(others.count { $0.status == 503 } == 1)
        #expect(book.answered.first === others.last)
        // Nobody has more than all others have.
        #expect(ask(house, 4, .row, at: "10.0.0.0").status == 503)
        try house.run(for: .milliseconds(20))
        #expect(own.status == 200)
    }

    @Test func `two who wait for one picture are answered together, as soon as the first is due`()
        throws
    {
        let house = try house()
        let others = askMuch(house, from: 260, .view)
        // The last of the first stranger's.
        let own = ask(house, 260 + 30, .view, at: "10.0.1.1")
        while own.status == nil { try house.run(for: .milliseconds(1)) }
        #expect(others[30].status == 200)
        #expect(book.answered.count <= 2 + 8 + 2)
    }

    // MARK: - Turns

    @Test func `who had more than his part comes later, until others have had theirs`() {
        var turns = RequestTurns()
        turns.charge(.milliseconds(80), to: "a", among: 2)
        #expect(turns.start(of: "a") == .milliseconds(80))
        #expect(turns.start(of: "b") == .milliseconds(40))
        for _ in 0..<8 { turns.charge(.milliseconds(10), to: "b", among: 2) }
        #expect(turns.start(of: "b") >= turns.start(of: "a"))
    }

    @Test func `so many addresses are remembered`() {
        var turns = RequestTurns()
        for number in 0..<5000 { turns.charge(.seconds(1), to: "\(number)", among: 100_000) }
        #expect(turns.addressCount <= RequestTurns.mostAddresses)
    }
}

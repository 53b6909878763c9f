import DeferredLoading
import Foundation
import IdleLoop
import ScrollModel
import Testing

/// Squares of row numbers, each of which takes 3 ms of virtual time.
struct Squares: LoadSource {
    let time: VirtualTime

    func load(_ row: Int, fetched: Never?) -> any Load<Int> { Square(of: row, on: time) }
}

final class Square: Load {
    let (row, time): (Int, VirtualTime)

    init(of row: Int, on time: VirtualTime) { (self.row, self.time) = (row, time) }

    func step(in slot: borrowing IdleSlot) -> LoadStep<Int> {
        time.charge(.milliseconds(3))
        return .done(row * row)
    }
}

/// Returns what a list shows while it is scrolled, and the virtual time that this takes.
func squaresShown() throws -> (shown: [Int: Int], time: Duration) {
    let time = VirtualTime()
    let loop = try MainLoop(clock: .virtual(time))
    let rows = Viewport(rows: try RowHeights(count: 1000, height: 80), height: 400)
    var shown: [Int: Int] = [:]
    let list = try DeferredList(
        on: loop, rows, source: Squares(time: time), options: .init(rule: .visible)
    ) { row in
        row
    } show: { row, state in
        if let square = state.value { shown[row] = square }
    }
    loop.schedule(after: .seconds(1)) { list.scrolled(to: 50 * 80) }
    loop.schedule(after: .seconds(3600)) { list.scrolled(to: 500 * 80) }
    try loop.run()  // returns when nothing is left to do
    list.close()
    return (shown, Instant.zero.duration(to: time.now))
}

/// The test that the article on virtual time shows.
struct VirtualTimeArticleTests {
    @Test func `the article's list shows what comes to rest`() throws {
        let (shown, time) = try squaresShown()
        #expect(shown.keys.sorted() == Array(0..<5) + Array(50..<55) + Array(500..<505))
        #expect(shown[500] == 250_000)
        #expect(time >= .seconds(3600))
    }

    @Test func `the article's list is the one that is built`() throws {
        let project = (0..<4).reduce(URL(filePath: #filePath)) { folder, _ in
            folder.deletingLastPathComponent()
        }
        let article = try String(
            contentsOf: project.appending(
                path: "Sources/Core/Lull/Lull.docc/TestingOnVirtualTime.md"), encoding: .utf8)
        let start = try #require(article.firstRange(of: "```swift\n")).upperBound
        let end = try #require(article[start...].firstRange(of: "```\n")).lowerBound
        let own = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        #expect(own.contains(article[start..<end]))
    }
}

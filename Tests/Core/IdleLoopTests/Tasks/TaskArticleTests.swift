import Foundation
import IdleLoop
import TestSupport
import Testing

actor Words {
    let executor: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }
    var known: Set<Substring> = []

    init(on executor: LoopExecutor) { self.executor = executor }
    func add(_ page: String) { known.formUnion(page.split(separator: " ")) }
}

func index(_ pages: [String], into words: Words, on loop: MainLoop) {
    loop.task {
        while true {
            try await loop.taskClock.sleep(for: .seconds(3600))
            var slot = await loop.idle()  // in a lull, when nothing is ready
            for page in pages {
                if slot.isOver { slot = await loop.idle() }  // after 2 ms, or when something is due
                await words.add(page)  // it lives on this loop: no other thread is asked
            }
        }
    }
    loop.task {
        try await loop.taskClock.sleep(for: .seconds(36_000))
        loop.stop()
    }
}

/// The examples of the article on tasks.
struct TaskArticleTests {
    @Test func `the article's tasks do what it says`() throws {
        let (loop, time) = try virtualLoop()
        defer { loop.close() }
        let words = Words(on: loop.executor)
        let pages = ["to be or not", "to be", "that is"]
        index(pages, into: words, on: loop)
        try loop.run()
        #expect(words.assumeIsolated { $0.known.count } == 6)
        #expect(time.now == Instant.zero.advanced(by: .seconds(36_000)))
    }

    @Test func `the article's tasks are the ones that are built`() throws {
        let path = "Sources/Core/Lull/Lull.docc/TasksOnTheLoop.md"
        let article = try String(
            contentsOf: Command.project.appending(path: path), encoding: .utf8)
        let start = try #require(article.firstRange(of: "```swift\n")).upperBound
        let end = try #require(article[start...].firstRange(of: "```\n")).lowerBound
        let own = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        #expect(own.contains(article[start..<end]))
    }
}

import DeferredLoading
import IdleLoop
import ScrollModel
import TestSupport
import Testing

/// The mode of a loop whose lists move.
struct ListModeTests {
    private let time: VirtualTime
    private let loop: MainLoop
    private let loader: DeferredLoader<Int, Text>

    init() throws {
        time = VirtualTime()
        loop = try MainLoop(clock: .virtual(time))
        loader = DeferredLoader(queue: IdleQueue(on: loop), source: TextSource(time))
    }

    private func list(tracksMode: Bool = true) throws -> DeferredList<Int, Text> {
        let viewport = Viewport(rows: try RowHeights(count: 1000, height: 100), height: 400)
        let options = ListOptions<Int>(rule: .visible, tracksMode: tracksMode)
        return DeferredList(
            sharing: loader, viewport, options: options, key: { $0 }, show: { _, _ in })
    }

    private func run(for milliseconds: Int) throws {
        try loop.run(until: loop.clock.now + .milliseconds(milliseconds))
    }

    /// Frames 16 ms apart, each 30 px on.
    private func move(_ list: DeferredList<Int, Text>, frames: Int) throws {
        for _ in 0..<frames {
            list.scrolled(to: list.viewport.offset + 30)
            try run(for: 16)
        }
    }

    @Test func `the loop tracks while a finger holds a list, while it flies, and not at rest`()
        throws
    {
        let list = try list()
        try run(for: 100)
        #expect(loop.mode == .default)
        list.handle(.down(y: 300))
        #expect(loop.mode == .tracking)
        try run(for: 1000)
        #expect(loop.mode == .tracking, "the finger holds still")
        list.handle(.moved(y: 250))
        try move(list, frames: 3)
        list.handle(.up(y: 200))
        #expect(loop.mode == .tracking)
        try move(list, frames: 20)
        #expect(loop.mode == .tracking)
        try run(for: 400)
        #expect(loop.mode == .default, "nobody said that it rests")
        list.handle(.jumpBegan(target: 9_000))
        #expect(loop.mode == .tracking)
        list.handle(.jumpEnded, offset: 9_000)
        try run(for: 400)
        #expect(loop.mode == .default)
    }

    @Test func `a list that isn't asked to leaves the mode alone`() throws {
        let list = try list(tracksMode: false)
        list.handle(.down(y: 300))
        try move(list, frames: 5)
        #expect(loop.mode == .default)
    }

    @Test func `a queue of the default mode works only while the list rests`() throws {
        let source = TextSource(time)
        let viewport = Viewport(rows: try RowHeights(count: 1000, height: 100), height: 400)
        var options = ListOptions<Int>(rule: .visible, tracksMode: true)
        options.queue.modes = .default
        let list = try DeferredList(
            on: loop, viewport, source: source, options: options, key: { $0 },
            show: { _, _ in })
        try run(for: 100)
        #expect(source.begun.sorted() == [0, 1, 2, 3])
        list.handle(.down(y: 300))
        try move(list, frames: 40)
        list.handle(.up(y: 300))
        try move(list, frames: 40)
        #expect(source.begun.count == 4)
        try run(for: 400)
        let rows = list.viewport.visibleRows
        #expect(source.begun.count == 4 + rows.count && rows.lowerBound > 20)
        for row in rows { #expect(list.state(ofRow: row).value != nil) }
    }

    @Test func `the loop tracks as long as any of its lists moves`() throws {
        let (one, other) = (try list(), try list())
        one.handle(.down(y: 300))
        other.handle(.down(y: 300))
        one.handle(.cancelled)
        try run(for: 400)
        #expect(loop.mode == .tracking)
        other.handle(.cancelled)
        try run(for: 400)
        #expect(loop.mode == .default)
    }

    @Test(arguments: [LoopMode.default, .tracking])
    func `a mode that is set while a list moves stays when it rests`(mode: LoopMode) throws {
        let (one, other) = (try list(), try list())
        one.handle(.down(y: 300))
        loop.mode = mode
        other.handle(.down(y: 300))
        #expect(loop.mode == mode)
        one.handle(.cancelled)
        other.handle(.cancelled)
        try run(for: 400)
        #expect(loop.mode == mode)
        // The next motion is followed again.
        loop.mode = .default
        one.handle(.down(y: 300))
        #expect(loop.mode == .tracking)
        one.handle(.cancelled)
        try run(for: 400)
        #expect(loop.mode == .default)
    }

    @Test func `a mode for tracking that was set before a list moved stays`() throws {
        let list = try list()
        loop.mode = .tracking
        list.handle(.down(y: 300))
        list.handle(.cancelled)
        try run(for: 400)
        #expect(loop.mode == .tracking)
    }

    @Test(arguments: [true, false])
    func `a list that is closed or let go of moves no more`(isClosed: Bool) throws {
        var list: DeferredList<Int, Text>? = try list()
        list?.handle(.down(y: 300))
        #expect(loop.mode == .tracking)
        if isClosed { list?.close() } else { list = nil }
        #expect(loop.mode == .default)
        list?.handle(.down(y: 300))
        list = nil
        #expect(loop.mode == .default)
    }
}

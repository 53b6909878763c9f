import DeferredLoading
import PeerPolicies
import ScrollModel
import Testing

/// The rules that wait: for their turn, for the list to slow down, or for it to rest.
struct WaitingRulesTests {
    @Test func `a run loop runs one unit each 100 ms`() {
        var scene = Scene(RunLoopUnits())
        #expect(scene.frame(0) == [0])
        #expect(scene.policy.waiting == [1, 2, 3])
        scene.loaded = [0]
        #expect(scene.frame(0) == [])
        #expect(scene.rest(64) == [])
        #expect(scene.rest(32) == [1])
    }

    @Test func `a unit whose row has left costs nothing, and the next one runs`() {
        var scene = Scene(RunLoopUnits())
        scene.frame(0)
        scene.loaded = [0]
        #expect(scene.frame(200, after: 100) == [2])
        #expect(scene.policy.waiting == [3, 4, 5])
    }

    @Test
    func `a list of 30 units loses its oldest, and asks again only when a row is shown again`() {
        var scene = Scene(RunLoopUnits())
        scene.event(.down(y: 0))
        for step in 0..<30 { scene.frame(100 * Double(step)) }
        #expect(scene.policy.waiting == Array(3...32))
        scene.frame(2800)
        #expect(scene.policy.waiting == Array(4...32) + [28])
    }

    @Test func `a run loop runs nothing while a finger is down`() {
        var scene = Scene(RunLoopUnits())
        scene.event(.down(y: 0))
        #expect(scene.frame(0) == [])
        #expect(scene.rest(400) == [])
        scene.event(.cancelled)
        #expect(scene.frame(0) == [0])
    }

    @Test func `Flutter starts what is built unless the list is fast`() {
        var scene = Scene(FlutterGate(pixelRatio: 1))
        // 250 px on either side; a row is slow at 400 px/s.
        #expect(scene.frame(1000) == Array(7...16))
        #expect(scene.frame(1100) == Array(7...16))
        #expect(scene.policy.explanation(ofRow: 17) != nil)
        #expect(scene.frame(1106) == Array(7...17))
    }

    @Test func `Flutter never cancels what it started, and forgets what left before it did`() {
        var scene = Scene(FlutterGate(pixelRatio: 1))
        scene.frame(1000)
        for offset in [2000.0, 3000, 4000] { #expect(scene.frame(offset) == Array(7...16)) }
        scene.loaded = Set(7...15)
        #expect(scene.frame(4000) == [16] + Array(37...46))
    }

    @Test func `Flutter compares px with physical ones, and a finger and a wheel have no speed`() {
        for (prepare, isStarted) in [(nil, false), (.down(y: 0), true), (.wheel, true)]
            as [(ScrollEvent?, Bool)]
        {
            var scene = Scene(FlutterGate(pixelRatio: 1))
            scene.frame(1000)
            if let prepare { scene.event(prepare) }
            scene.frame(1100)
            #expect(scene.rows.contains(17) == isStarted)
        }
        var dense = Scene(FlutterGate(pixelRatio: 16))
        dense.frame(1000)
        dense.frame(1100)
        #expect(dense.rows.contains(17))
    }

    @Test func `virtuoso shows placeholders from 200 px a frame down to 30`() {
        var scene = Scene(ScrollSeek())
        #expect(scene.frame(1000) == [10, 11, 12, 13])
        #expect(scene.frame(1200) == [12, 13, 14, 15])
        #expect(scene.frame(1401) == [])
        #expect(scene.frame(1431) == [])
        #expect(scene.frame(1460) == [14, 15, 16, 17, 18])
    }

    @Test func `Dolphin waits until the range hasn't changed for 50 ms`() {
        var scene = Scene(DolphinUpdater(limit: 40))
        #expect(scene.frame(1000) == [])
        #expect(scene.rest(48) == [])
        scene.loaded = [11]
        scene.rest(16)
        let after = Array(14...33)
        let before = Array((0...9).reversed())
        #expect(scene.rows == [10, 12, 13] + after + before + [96, 97, 98, 99, 34, 35])
        #expect(scene.frame(1100) == [])
    }

    @Test func `Dolphin names the first page after the last, and then the rest`() {
        var scene = Scene(DolphinUpdater(pages: 1, limit: 22))
        scene.frame(5000)
        scene.rest(64)
        #expect(
            scene.rows == Array(50...57) + [49, 48, 47, 46, 96, 97, 98, 99, 0, 1, 2, 3, 58, 59])
    }

    @Test func `tumbler works on the last request first and loses one that nobody sees`() {
        var scene = Scene(TumblerRequests())
        #expect(scene.frame(1000) == [10, 11, 12, 13])
        scene.loaded = [12]
        #expect(scene.frame(1100) == [11, 13, 14, 10])
        #expect(scene.frame(1500) == [15, 16, 17, 18])
    }

    @Test func `Immich loads when the row hasn't changed for 150 ms`() {
        var scene = Scene(ImmichDwell())
        #expect(scene.frame(1000) == [])
        #expect(scene.rest(144) == [])
        #expect(scene.rest(16) == [10, 11, 12, 13])
        #expect(scene.frame(1050) == [10, 11, 12, 13, 14])
        #expect(scene.frame(1100) == [])
    }

    @Test func `cornerstone prefetches 50 ms after all on screen is there`() {
        var scene = Scene(CornerstonePrefetch(stack: 6))
        #expect(scene.frame(1000) == [10, 11, 12, 13])
        scene.loaded = [10, 11, 12]
        #expect(scene.rest(160) == [10, 11, 12, 13])
        scene.loaded = [10, 11, 12, 13]
        #expect(scene.rest(64) == [10, 11, 12, 13])
        #expect(scene.rest(16) == [10, 11, 12, 13, 14, 9, 15, 8, 16, 7])
        #expect(scene.frame(1100) == [11, 12, 13, 14])
    }

    @Test func `plain queues keep what has left until it's loaded`() {
        var fifo = Scene(PlainQueue(.firstIn))
        var lifo = Scene(PlainQueue(.lastIn))
        for offset in [1000.0, 1200] {
            fifo.frame(offset)
            lifo.frame(offset)
        }
        #expect(fifo.rows == [10, 11, 12, 13, 14, 15])
        #expect(lifo.rows == [15, 14, 13, 12, 11, 10])
        fifo.loaded = [11]
        #expect(fifo.frame(5000) == [10, 12, 13, 14, 15, 50, 51, 52, 53])
    }

    @Test func `lifo gives up what has left`() {
        var scene = Scene(LatestFirst())
        #expect(scene.frame(1000) == [13, 12, 11, 10])
        #expect(scene.frame(1200) == [15, 14, 13, 12])
        #expect(scene.frame(1100) == [11, 14, 13, 12])
    }
}

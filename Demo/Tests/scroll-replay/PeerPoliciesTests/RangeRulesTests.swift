import DeferredLoading
import IdleLoop
import PeerPolicies
import Testing

/// The rules that load what lies in and around the viewport.
struct RangeRulesTests {
    @Test func `RecyclerView prepares the next row whatever it costs if the next frame needs it`() {
        var scene = Scene(GapWorker())
        scene.cost = .milliseconds(500)
        scene.frame(1000)
        #expect(scene.frame(1060) == [10, 11, 12, 13, 14, 15])
        #expect(scene.rows(.approach) == [15])
    }

    @Test func `RecyclerView prepares a later row only if the frame has time for it`() {
        for (cost, isPrepared) in [(nil, true), (13, true), (14, false)] as [(Int?, Bool)] {
            var scene = Scene(GapWorker())
            scene.cost = cost.map { .milliseconds($0) }
            scene.frame(1000)
            scene.frame(1010)
            #expect(scene.rows(.near) == (isPrepared ? [15] : []))
            scene.frame(1010)
            #expect(scene.rows == [10, 11, 12, 13, 14])
        }
    }

    @Test func `Glide starts with the first scroll, at the last row on screen`() {
        var scene = Scene(GlidePreloader())
        #expect(scene.frame(1000) == [10, 11, 12, 13])
        scene.frame(1100)
        #expect(scene.policy.targets == Array(14...23))
        #expect(scene.rows == [11, 12, 13, 14] + Array(15...23))
    }

    @Test func `Glide goes on where it ended and takes the oldest target for one too many`() {
        var scene = Scene(GlidePreloader())
        scene.frame(1000)
        scene.frame(1100)
        scene.frame(1200)
        #expect(scene.policy.targets == Array(14...24))
        scene.frame(1300)
        #expect(scene.policy.targets == Array(15...25))
    }

    @Test func `Glide cancels all when the direction turns`() {
        var scene = Scene(GlidePreloader())
        for offset in [1000.0, 1100, 1200] { scene.frame(offset) }
        scene.frame(1100)
        #expect(scene.policy.targets == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    }

    @Test func `UIKit prefetches a screen ahead, the nearest first, and turns with the list`() {
        var scene = Scene(UIKitPrefetch())
        #expect(scene.frame(1000) == [10, 11, 12, 13, 14, 15, 16, 17])
        #expect(scene.frame(900) == [9, 10, 11, 12, 8, 7, 6, 5])
        #expect(scene.rest(500) == [9, 10, 11, 12, 8, 7, 6, 5])
    }

    @Test
    func `FlashList renders 150 px behind and 350 ahead, and what doesn't fit on the other side`() {
        var scene = Scene(FlashListBuffer())
        #expect(scene.frame(1000).sorted() == Array(8...17))
        #expect(scene.rows == [10, 11, 12, 13, 14, 15, 16, 17, 9, 8])
        var top = Scene(FlashListBuffer())
        #expect(top.frame(0).sorted() == Array(0...8))
        var end = Scene(FlashListBuffer())
        #expect(end.frame(9600).sorted() == Array(91...99))
    }

    @Test func `FlashList looks ahead by the median of five speeds, for 100 ms after the last`() {
        var scene = Scene(FlashListBuffer())
        for step in 0...5 { scene.frame(1000 + 80 * Double(step)) }
        // 5 px/ms for 16 ms: the window is that of 1480.
        #expect(scene.rows.sorted() == Array(13...22))
        scene.rest(96)
        #expect(scene.rows.sorted() == Array(13...22))
        scene.rest(16)
        #expect(scene.rows.sorted() == Array(12...21))
    }

    @Test func `FlashList takes two of five speeds for outliers`() {
        var scene = Scene(FlashListBuffer())
        for offset in [1000.0, 1080, 1160] { scene.frame(offset) }
        #expect(scene.rows.sorted() == Array(10...19))
    }

    @Test func `Chromium's tiles are those in view, those soon, and the rest by distance`() {
        var scene = Scene(ChromiumTiles())
        scene.frame(2000)
        #expect(scene.rows(.visible) == [20, 21, 22, 23])
        #expect(scene.rows(.approach) == [19, 24])
        #expect(scene.rows(.near).prefix(4) == [18, 25, 17, 26])
        #expect(Set(scene.rows) == Set(10...33))
    }

    @Test func `Chromium foresees a second by the last two frames, 2000 px at most`() {
        var scene = Scene(ChromiumTiles())
        for offset in [1000.0, 1010, 1020] { scene.frame(offset) }
        // 20 px in 32 ms: 625 px in a second.
        #expect(Set(scene.rows(.approach)) == Set(9...9).union(15...20))
        for offset in [1220.0, 1420] { scene.frame(offset) }
        #expect(scene.rows(.approach).max() == 38)
    }

    @Test func `Chromium's tiles end where the memory does, but for those in view`() {
        var scene = Scene(ChromiumTiles(budget: 600, bytesPerPixel: 1))
        #expect(scene.frame(2000) == [20, 21, 22, 23, 19, 24])
        var none = Scene(ChromiumTiles(budget: 0))
        #expect(none.frame(2000) == [20, 21, 22, 23])
    }

    @Test func `Chromium's lazy images are asked for within 1250 px, and never taken back`() {
        var scene = Scene(LazyImages())
        #expect(scene.frame(2000) == [20, 21, 22, 23] + Array(7...19) + Array(24...36))
        scene.loaded = Set(7...35)
        #expect(scene.frame(5000) == [50, 51, 52, 53, 36] + Array(37...49) + Array(54...66))
    }

    @Test func `lifo gives up what has left`() {
        var scene = Scene(LatestFirst())
        #expect(scene.frame(1000) == [13, 12, 11, 10])
        #expect(scene.frame(1200) == [15, 14, 13, 12])
        #expect(scene.frame(1100) == [11, 14, 13, 12])
    }
}

import DeferredLoading
import IdleLoop
import PeerPolicies
import ScrollModel
import Testing

struct VVeboTests {
    @Test func `what comes on screen is loaded while nothing is noted`() {
        var scene = Scene(VVebo())
        #expect(scene.frame(0) == [0, 1, 2, 3])
        #expect(scene.frame(100) == [1, 2, 3, 4])
    }

    @Test func `a fling notes its landing and three rows before it, and loads them as they appear`()
    {
        var scene = Scene(VVebo())
        scene.frame(0)
        scene.fling(to: 3000, velocity: 4000)
        #expect(scene.policy.needed == [30, 31, 32, 33, 27, 28, 29])
        #expect(scene.frame(1000) == [])
        #expect(scene.frame(2600) == [27, 28, 29])
        #expect(scene.frame(3000) == [30, 31, 32, 33].filter { $0 > 29 })
    }

    @Test func `upwards the three rows lie below`() {
        var scene = Scene(VVebo())
        scene.frame(5000)
        scene.fling(to: 2000, velocity: -4000)
        #expect(scene.policy.needed == [20, 21, 22, 23, 24, 25, 26])
    }

    @Test func `margins lie ahead or on both sides in the variants`() {
        var ahead = Scene(VVebo(margin: .ahead))
        ahead.frame(0)
        ahead.fling(to: 3000, velocity: 4000)
        #expect(ahead.policy.needed == [30, 31, 32, 33, 34, 35, 36])
        var both = Scene(VVebo(margin: .both))
        both.frame(0)
        both.fling(to: 3000, velocity: 4000)
        #expect(both.policy.needed == [30, 31, 32, 33, 34, 35, 36, 27, 28, 29])
    }

    @Test func `a first row of 3 gets none above it, one of 4 all three`() {
        for (target, needed) in [(300.0, [3, 4, 5, 6]), (400.0, [4, 5, 6, 7, 1, 2, 3])] {
            var scene = Scene(VVebo(margin: .ahead))
            scene.frame(5000)
            scene.fling(to: target, velocity: -4000)
            #expect(scene.policy.needed == needed)
        }
    }

    @Test func `three rows that don't all exist are not added at all`() {
        var scene = Scene(VVebo(margin: .ahead))
        scene.frame(0)
        scene.fling(to: 9400, velocity: 9000)
        #expect(scene.policy.needed == [94, 95, 96, 97])
    }

    @Test func `what is noted adds up over flings without a touch between them`() {
        var scene = Scene(VVebo())
        scene.frame(0)
        scene.fling(to: 3000, velocity: 4000)
        scene.fling(to: 5000, velocity: 4000)
        #expect(
            scene.policy.needed == [30, 31, 32, 33, 27, 28, 29, 50, 51, 52, 53, 47, 48, 49])
    }

    @Test func `a short fling notes nothing`() {
        var scene = Scene(VVebo())
        scene.frame(0)
        scene.fling(to: 800, velocity: 900)
        #expect(scene.policy.needed == [])
    }

    @Test func `a target outside of all rows is row 0`() {
        var scene = Scene(VVebo())
        scene.frame(0)
        scene.fling(to: 20_000, velocity: 9000)
        #expect(scene.policy.needed == [])
        scene.frame(5000)
        scene.fling(to: 20_000, velocity: 9000)
        #expect(scene.policy.needed == [])
    }

    @Test func `on the way to the top nothing is loaded, and at its end all on screen`() {
        var scene = Scene(VVebo())
        scene.frame(5000)
        #expect(scene.event(.jumpBegan(target: 0)) == [50, 51, 52, 53])
        #expect(scene.frame(2000) == [])
        #expect(scene.event(.down(y: 0)) == [])
        #expect(scene.frame(0) == [])
        #expect(scene.rest(1000) == [])
        #expect(scene.event(.jumpEnded) == [0, 1, 2, 3])
    }

    @Test func `on the way to a row, what comes on screen is loaded`() {
        var scene = Scene(VVebo())
        scene.frame(5000)
        scene.event(.jumpBegan(target: 1000))
        #expect(scene.frame(2000) == [23, 22, 21, 20])
        scene.fling(to: 8000, velocity: 4000)
        #expect(scene.frame(1000) == [])
        #expect(scene.event(.jumpEnded) == [10, 11, 12, 13])
    }

    @Test func `rest opens nothing, a touch loads all on screen`() {
        var scene = Scene(VVebo())
        scene.frame(0)
        scene.fling(to: 3000, velocity: 4000)
        scene.frame(4000)
        #expect(scene.rest(1000) == [])
        #expect(scene.event(.down(y: 0)) == [40, 41, 42, 43])
        #expect(scene.policy.needed == [])
    }
}

import DeferredLoading
import PeerPolicies
import ScrollModel
import Testing

struct RunLoopUnitsTests {
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
}

import IdleLoop
import TestSupport
import Testing

/// Everything that lives on a loop, cancelled, closed and let go of in any order from inside any
/// callback: nothing traps, each job ends once, and nothing is kept.
struct LifeTests {
    @Test(arguments: seeds(0..<240))
    func `whatever ends in whatever order, all is told and nothing is left`(seed: UInt64) throws {
        let live = LiveObjects()
        var faults: [String] = []
        weak var remains: MainLoop?
        do {
            let (loop, time) = try virtualLoop()
            remains = loop
            let world = LifeWorld(on: loop, time: time, live, seed: seed)
            for _ in 0..<4 { try? loop.run(until: time.now.advanced(by: .milliseconds(5))) }
            faults = world.end()
        }
        #expect(faults == [])
        #expect(live.count == 0)
        #expect(remains == nil)
    }

    @Test(arguments: HostKind.allCases, seeds(0..<60))
    func `nor on a host's loop`(kind: HostKind, seed: UInt64) throws {
        let live = LiveObjects()
        let host = HostBase(kind)
        var faults: [String] = []
        weak var remains: MainLoop?
        do {
            let world = try LifeWorld(on: host.adopt(), time: nil, live, seed: seed)
            remains = world.takeLoop()
            for _ in 0..<60 { host.loop(.nonblockingOnce) }
            faults = world.end()
        }
        for _ in 0..<3 { host.loop(.nonblocking) }
        #expect(faults == [])
        #expect(live.count == 0)
        #expect(remains == nil)
        #expect(host.pending == 0)
    }
}

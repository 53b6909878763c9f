import TestSupport
import Testing

/// What holds of jobs that are tasks, whatever comes.
struct AsyncJobLawTests {
    @Test(arguments: seeds(0..<60))
    func `each request ends once, each task ends, and it all happens the same again`(
        seed: UInt64
    ) throws {
        let world = try AsyncJobWorld(seed: seed)
        let log = try world.play()
        #expect(world.faults == [])
        #expect(try AsyncJobWorld(seed: seed).play() == log)
    }
}

import RandomPrograms
import TestSupport
import Testing

struct RandomProgramTests {
    @Test(arguments: seeds(0..<600))
    func `whatever is called in whatever order, from inside every callback, all laws hold`(
        seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        let bytes = (0..<1000).map { _ in UInt8.random(in: 0...255, using: &random) }
        LoaderProgram.run(Choices(bytes)) { Issue.record("\($0)") }
    }
}

import Foundation
import RandomPrograms
import TestSupport
import Testing

/// Random programs of public calls, which the loader's fuzzer runs too.
struct RandomProgramTests {
    @Test(arguments: seeds(0..<600))
    func `whatever is called in whatever order, from inside every callback, all laws hold`(
        seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        let bytes = (0..<1000).map { _ in UInt8.random(in: 0...255, using: &random) }
        LoaderProgram.run(Choices(bytes)) { Issue.record("\($0)") }
    }

    @Test func `programs that broke a law once, with which the fuzzer begins, keep all`() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../../Fuzz/corpus/loader")
            .standardized
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        for name in names {
            let bytes = try Data(contentsOf: folder.appending(path: name))
            LoaderProgram.run(Choices([UInt8](bytes))) { Issue.record("\(name): \($0)") }
        }
    }
}

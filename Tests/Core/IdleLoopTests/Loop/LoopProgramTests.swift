import IdleLoop
import RandomPrograms
import TestSupport
import Testing

/// Everything that lives on a loop, made, cancelled, closed and let go of in any order, from inside any
/// callback: nothing traps, each job ends once, and nothing is kept or called that is over.
struct LoopProgramTests {
    /// A host that isn't dispatched from inside itself.
    private final class Host: ProgramHost {
        private let base: HostBase
        private var isDispatching = false

        init(_ kind: HostKind) { base = HostBase(kind) }

        func adopt(inboxCapacity: Int) throws -> MainLoop {
            try base.adopt(inboxCapacity: inboxCapacity)
        }

        func dispatch() {
            guard !isDispatching else { return }
            isDispatching = true
            base.loop(.nonblockingOnce)
            isDispatching = false
        }

        var isEmpty: Bool { base.pending == 0 && base.all == 0 }
    }

    @Test(arguments: HostKind.allCases, seeds(0..<100))
    func `whatever is called in whatever order, from inside every callback, all laws hold`(
        kind: HostKind, seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        let length = [30, 100, 300, 1000][Int(seed % 4)]
        let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        let shared = kind.hasSeveralGuests ? Host(kind) : nil
        LoopProgram.run(Choices(bytes), on: [{ shared ?? Host(kind) }]) { law in
            Issue.record("\(law)")
        }
    }
}

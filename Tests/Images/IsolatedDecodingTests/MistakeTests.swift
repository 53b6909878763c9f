import IdleLoop
import IsolatedDecoding
import Testing

@Suite struct `An isolated decoder is not for` {
    @Test func `virtual time`() async {
        await #expect(processExitsWith: .failure) {
            _ = IsolatedDecoder(on: try MainLoop(clock: .virtual(VirtualTime())))
        }
    }
}

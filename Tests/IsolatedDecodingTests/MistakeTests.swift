import IdleLoop
import ImageLoading
import IsolatedDecoding
import Testing

@Suite struct `An isolated decoder is not for` {
    @Test func `virtual time`() async {
        await #expect(processExitsWith: .failure) {
            _ = IsolatedDecoder(on: try MainLoop(clock: .virtual(VirtualTime())))
        }
    }

    @Test func `no helpers, no room, no memory, no pictures, or times that aren't`() async {
        await #expect(processExitsWith: .failure) { _ = try Bench { $0.helpers = 0 } }
        await #expect(processExitsWith: .failure) { _ = try Bench { $0.waiting = 0 } }
        await #expect(processExitsWith: .failure) { _ = try Bench { $0.memory = 0 } }
        await #expect(processExitsWith: .failure) { _ = try Bench { $0.picturesPerHelper = 0 } }
        await #expect(processExitsWith: .failure) { _ = try Bench { $0.deadline = .seconds(-1) } }
        await #expect(processExitsWith: .failure) { _ = try Bench { $0.firstBackoff = .zero } }
        await #expect(processExitsWith: .failure) { _ = try Bench { $0.longestBackoff = .zero } }
    }

    @Test func `loads of what wasn't fetched`() async {
        await #expect(processExitsWith: .failure) {
            let bench = try Bench()
            let request = PictureRequest("a.jpg", fitting: Bench.box)
            _ = IsolatedPictures(bench.decoder).load(request, fetched: nil)
        }
    }
}

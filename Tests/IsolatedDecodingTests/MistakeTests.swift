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

    @Test func `loads of what wasn't fetched`() async {
        await #expect(processExitsWith: .failure) {
            let bench = try Bench()
            let request = PictureRequest("a.jpg", fitting: Bench.box)
            _ = IsolatedPictures(bench.decoder).load(request, fetched: nil)
        }
    }
}

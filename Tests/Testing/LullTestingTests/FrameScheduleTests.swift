import IdleLoop
import LullTesting
import Testing

struct FrameScheduleTests {
    /// Returns the rests among frames that are due at these times and show these offsets.
    private func rests(_ frames: (due: Duration, offset: Double)...) -> [Range<Int>] {
        FrameSchedule.rests(
            among: frames.count, offset: { frames[$0].offset }, due: { .zero + frames[$0].due })
    }

    @Test func `frames at one offset for 100 ms or more are a rest`() {
        let start = Duration.milliseconds(7)
        let end = start + .milliseconds(100)
        #expect(rests((start, 5), (end, 5)) == [0..<2])
        #expect(rests((start, 5), (end - .nanoseconds(1), 5)).isEmpty)
        #expect(rests((.zero, 1), (start, 5), (end, 5), (end * 2, 6)) == [1..<3])
    }

    @Test func `frames at the end are a rest, too, and so are neighbours`() {
        #expect(
            rests((.zero, 1), (.milliseconds(90), 2), (.milliseconds(120), 2), (.seconds(1), 2))
                == [1..<4])
        #expect(
            rests((.zero, 1), (.milliseconds(100), 1), (.milliseconds(150), 2), (.seconds(1), 2))
                == [0..<2, 2..<4])
    }

    @Test func `no frame, a single one and frames in motion have no rest`() {
        #expect(rests().isEmpty)
        #expect(rests((.seconds(1), 5)).isEmpty)
        #expect(rests((.zero, 1), (.seconds(1), 2), (.seconds(2), 1)).isEmpty)
    }
}

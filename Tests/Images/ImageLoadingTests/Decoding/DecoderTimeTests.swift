import Glibc
import Testing

@testable import ImageLoading

@Suite struct `The time of a decoder` {
    /// A clock on which every look is a microsecond later than the one before.
    final class Ticks {
        private var now = 0

        func time(_ clock: clockid_t) -> Int {
            now += 1000
            return now
        }
    }

    @Test(arguments: Kind.allCases)
    func `lets a picture pass that takes just as long`(kind: Kind) throws {
        let file = TemporaryFile(kind.encoded(Sample(120, 80)))
        let (picture, looks) = try counted(file)
        #expect(try decoder(file, time: .microseconds(looks)).decode() == picture)
        for less in [3, looks - 1] {
            let decoder = decoder(file, time: .microseconds(less))
            let error = #expect(throws: PictureError.self) { try decoder.decode() }
            guard case .tooSlow(_, limit: .microseconds(less)) = error?.reason else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(file.openDescriptors == 0)
    }

    /// The picture of a file, and how often the clock is looked at, which is its time in µs.
    private func counted(_ file: TemporaryFile) throws -> (picture: Picture, looks: Int) {
        let free = decoder(file, time: .seconds(2))
        _ = try free.step()
        let opened = try #require(free.file)
        var steps = 1
        while true {
            steps += 1
            // It's looked at before each read and after each step but the last: what is there is
            // given.
            if case .done(let picture) = try free.step() {
                return (picture, opened.reads + steps - 1)
            }
        }
    }

    @Test func `ends a step that reads on and on`() throws {
        let bytes = Hostile.gif(extensions: [[UInt8]](repeating: [0x21, 0xFE, 0], count: 8000))
        let file = TemporaryFile(bytes)
        let decoder = decoder(file, time: .microseconds(5))
        _ = try decoder.step()
        #expect(
            throws: PictureError(
                file: file.path, reason: .tooSlow(spent: .microseconds(6), limit: .microseconds(5)))
        ) {
            try decoder.step()
        }
        #expect(file.openDescriptors == 0)
    }

    /// The processor's clock may go back, where a step is done on another thread than the one before.
    @Test(arguments: [0, -1000])
    func `is that of the processor, which is asked once for many steps`(change: Int) throws {
        let file = TemporaryFile(Sample(120, 80).jpeg())
        var (elapsed, processor, looks, questions) = (0, 0, 0, 0)
        func time(_ clock: clockid_t) -> Int {
            if clock == CLOCK_MONOTONIC {
                looks += 1
                elapsed += 1000
                return elapsed
            }
            questions += 1
            processor += change
            return processor
        }
        let picture = try decoder(file, time: .seconds(2)).decode()
        #expect(try decoder(file, time: .seconds(2), time).decode() == picture)
        #expect(questions > 0 && 8 * questions < looks)
        // It waits for seconds between two looks.
        func slowTime(_ clock: clockid_t) -> Int {
            elapsed += 1_000_000_000
            return clock == CLOCK_MONOTONIC ? elapsed : time(clock)
        }
        #expect(try decoder(file, time: .milliseconds(1), slowTime).decode() == picture)
    }

    @Test(arguments: [
        (Duration.zero, false), (.seconds(-1), false), (.seconds(Int64.min), false),
        (.seconds(Int64.max), true), (.seconds(10_000_000_000), true),
    ])
    func `may be none at all, or longer than can be counted`(time: Duration, isEnough: Bool) {
        let file = TemporaryFile(Sample(30, 20).jpeg())
        #expect(((try? decoder(file, time: time).decode()) != nil) == isEnough)
    }

    @Test func `is two seconds of the processor's unless told otherwise`() throws {
        #expect(PictureLimits().time == .seconds(2))
        let file = TemporaryFile(Sample(300, 200).jpeg())
        let limits = PictureLimits(time: .nanoseconds(1))
        #expect(throws: PictureError.self) {
            try PictureJob(.file(file.path), fitting: .ample, limits: limits).decode()
        }
    }

    private func decoder(
        _ file: TemporaryFile, time: Duration, _ clock: @escaping (clockid_t) -> Int = Ticks().time
    ) -> PictureJob {
        let job = PictureJob(
            .file(file.path), fitting: PixelSize(width: 100, height: 100),
            limits: PictureLimits(time: time))
        job.meter = StepMeter(clock)
        return job
    }
}

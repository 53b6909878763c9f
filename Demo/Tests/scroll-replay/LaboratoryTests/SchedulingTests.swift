import DeferredLoading
import IdleLoop
import Laboratory
import LullTesting
import ShippedTraces
import Testing

/// The engines that let work wait, by what they did.
struct SchedulingTests {
    private func log(_ engine: Scheduling, _ trace: String, _ setting: Setting) throws -> ReplayLog
    {
        var options = ReplayOptions(setting, engine)
        options.isLogged = true
        let replay = try Replay(
            of: try Shipped.trace(trace), in: Shipped.list(trace), policy: .everything,
            options: options)
        _ = try replay.run()
        return try #require(replay.log)
    }

    /// When the frame after a time was due, and when the one before it ended.
    private func gap(around time: Instant, in log: ReplayLog) -> (start: Instant, due: Instant)? {
        guard let next = log.frames.firstIndex(where: { $0.start >= time }), next > 0 else {
            return nil
        }
        return (log.frames[next - 1].end, log.frames[next].due)
    }

    @Test(arguments: [Setting.standard, .heavy])
    func `E3 begins no slice that would make a frame late`(_ setting: Setting) throws {
        let log = try log(.slicedFitting, "chromium-fling-down-5000", setting)
        #expect(!log.slices.isEmpty)
        for slice in log.slices {
            #expect(slice.end - slice.start <= .milliseconds(2))
            if let gap = gap(around: slice.end, in: log) { #expect(slice.end <= gap.due) }
        }
        // No frame waits for work: it starts when it's due, or when an input has been seen to.
        #expect(log.frames.allSatisfy { $0.start - $0.due <= .microseconds(100) })
    }

    @Test func `E1 begins what is too long for any gap only right after a frame`() throws {
        let log = try log(.fitting, "chromium-fling-down-5000", .heavy)
        var last = Instant(nanoseconds: -1)
        for slice in log.slices {
            guard let gap = gap(around: slice.end, in: log) else { continue }
            // Work that makes a frame wait is the first of its gap.
            if slice.end > gap.due { #expect(last < gap.start) }
            last = slice.start
        }
    }

    @Test(arguments: [Setting.standard, .latency])
    func `E4 begins one job in each tenth of a second, and none under a finger`(
        _ setting: Setting
    ) throws {
        let log = try log(.paced, "chromium-fling-train-read", setting)
        let tenths = log.slices.map { $0.start.nanoseconds / 100_000_000 }
        #expect(tenths.count > 20)
        #expect(Set(tenths).count == tenths.count)
        var touches: [Range<Instant>] = []
        var down: Instant?
        for input in log.inputs {
            switch input.input {
            case .down: down = input.end
            case .up, .cancel:
                if let start = down { touches.append(start..<input.start) }
                down = nil
            case .move, .wheel, .key: break
            }
        }
        #expect(!touches.isEmpty)
        for slice in log.slices { #expect(!touches.contains { $0.contains(slice.start) }) }
        // At rest each tenth has its job, right at its beginning unless a frame is at it.
        #expect(log.slices.contains { $0.start.nanoseconds % 100_000_000 < 3_000_000 })
    }
}

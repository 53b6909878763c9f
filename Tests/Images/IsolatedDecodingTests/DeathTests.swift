import Glibc
import IdleLoop
import ImageLoading
import Testing

@testable import IsolatedDecoding

@Suite struct `A helper that ends` {
    @Test(arguments: [SIGKILL, SIGTERM])
    func `over a picture costs that picture, and is replaced`(signal: Int32) throws {
        let bench = try Bench()
        let process = try bench.ready()
        stop(process)  // so that it has the first picture and not the second, however slow this is
        var first: Bench.Outcome?
        var second: Bench.Outcome?
        let bytes = Sample.png(400, 300)
        bench.decoder.decode(.bytes(bytes), named: "first", fitting: .small) { first = $0 }
        bench.decoder.decode(.bytes(bytes), named: "second", fitting: .small) { second = $0 }
        kill(process, signal)
        kill(process, SIGCONT)
        try bench.run { first != nil && second != nil }
        #expect(first?.error == .helper(file: "first", .ended(.killed(signal: signal))))
        #expect(second == here(bytes))
        #expect(bench.decoder.processes != [process])
        #expect(bench.decoder.statistics.died == 1)
        #expect(bench.decoder.statistics.started == 2)
        #expect(!exists(process))
    }

    @Test(arguments: [false, true])
    func `while it has nothing to do costs nothing, even before the loop hears of it`(
        isHeard: Bool
    ) throws {
        let bench = try Bench()
        let process = try bench.ready()
        kill(process, SIGKILL)
        if isHeard {
            try bench.run { !exists(process) }
            #expect(bench.decoder.processes.isEmpty)
        } else {
            var info = unsafe siginfo_t()
            unsafe waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT)
        }
        #expect(try bench.outcome(of: Sample.jpeg(9, 9)).isSuccess)
        #expect(bench.decoder.statistics.started == 2 && bench.decoder.statistics.died == 0)
    }

    @Test func `because it was stopped, and hung, is replaced`() throws {
        let bench = try Bench { $0.deadline = .seconds(5) }
        let process = try bench.ready()
        stop(process)
        let bytes = Sample.png(4, 4)
        #expect(
            try bench.outcome(of: bytes).error
                == .helper(file: "bytes", .silent(after: .seconds(5))))
        #expect(bench.decoder.statistics.hung == 1)
        #expect(try bench.outcome(of: bytes) == here(bytes))
        try bench.run { !exists(process) }
    }

    @Test(.disabled(if: Sandbox.isInstrumented, "sanitizers take memory as they please"))
    func `for want of memory costs at most that picture`() throws {
        let bench = try Bench { $0.memory = 24 << 20 }
        let bytes = Sample.claiming(6000, 6000, Sample.jpeg(16, 16, progressive: true))
        let limits = PictureLimits(decoderMemory: 1 << 30)
        let outcome = try bench.outcome(of: bytes, limits: limits)
        #expect(
            outcome.error == .picture(PictureError(file: "bytes", reason: .outOfMemory)))
        #expect(try bench.outcome(of: Sample.jpeg(64, 48)) == here(Sample.jpeg(64, 48)))
    }

    @Test func `after so many pictures as it may decode is no failure`() throws {
        let bench = try Bench { $0.picturesPerHelper = 2 }
        for _ in 0..<5 { #expect(try bench.outcome(of: Sample.jpeg(9, 9)).isSuccess) }
        #expect(bench.decoder.statistics.started == 3)
        #expect(bench.decoder.processes.count == 1)
    }

    @Test func `after it had nothing to do for long is replaced when there is work`() throws {
        let bench = try Bench { $0.idleTime = .milliseconds(1) }
        let process = try bench.ready()
        try bench.run { !exists(process) }
        #expect(bench.decoder.processes.isEmpty)
        #expect(try bench.outcome(of: Sample.jpeg(9, 9)).isSuccess)
        #expect(bench.decoder.statistics.started == 2)
        #expect(bench.decoder.statistics.hung == 0)
    }

    @Test(arguments: ["closed", "let go of", "on a closed loop"])
    func `with its decoder or its loop is gone at once`(way: String) throws {
        let loop = try MainLoop()
        defer { loop.close() }
        var configuration = IsolatedDecoder.Configuration()
        configuration.program = Bench.helper
        configuration.helpers = 2
        var decoder: IsolatedDecoder? = IsolatedDecoder(on: loop, configuration: configuration)
        var outcomes: [IsolatedError?] = []
        for _ in 0..<3 {
            decoder?.decode(.bytes(Sample.png(4, 4)), named: "", fitting: .small) {
                outcomes.append($0.error)
            }
        }
        let processes = try #require(decoder?.processes)
        #expect(processes.count == 2)
        switch way {
        case "closed": for _ in 0..<2 { decoder?.close() }
        case "let go of": decoder = nil
        default: loop.close()
        }
        #expect(processes.filter { exists($0) }.isEmpty && decoder?.processes.isEmpty ?? true)
        decoder = nil
        #expect(outcomes == [.closed, .closed, .closed])
    }
}

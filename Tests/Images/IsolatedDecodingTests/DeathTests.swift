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

    @Test func `while it has nothing to do costs nothing`() throws {
        let bench = try Bench()
        let process = try bench.ready()
        kill(process, SIGKILL)
        try bench.run { !exists(process) }
        #expect(bench.decoder.processes.isEmpty)
        #expect(try bench.outcome(of: Sample.jpeg(9, 9)).isSuccess)
        #expect(bench.decoder.statistics.started == 2)
        #expect(bench.decoder.statistics.died == 0)
    }

    @Test func `while it has nothing to do costs nothing, even before the loop hears of it`() throws
    {
        let bench = try Bench()
        let process = try bench.ready()
        kill(process, SIGKILL)
        var info = unsafe siginfo_t()
        unsafe waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT)
        #expect(try bench.outcome(of: Sample.jpeg(9, 9)).isSuccess)
        #expect(bench.decoder.statistics.died == 0)
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

    @Test func `with its decoder is gone at once`() throws {
        let bench = try Bench { $0.helpers = 2 }
        var outcomes: [IsolatedError?] = []
        let process = try bench.ready()
        for _ in 0..<3 {
            bench.decoder.decode(.bytes(Sample.png(4, 4)), named: "", fitting: .small) {
                outcomes.append($0.error)
            }
        }
        let processes = bench.decoder.processes
        #expect(processes.count == 2)
        #expect(processes.contains(process))
        bench.decoder.close()
        #expect(outcomes == [.closed, .closed, .closed])
        #expect(processes.filter { exists($0) }.isEmpty)
        bench.decoder.close()
        #expect(bench.decoder.processes.isEmpty)
    }

    @Test func `with its loop is gone at once`() throws {
        let bench = try Bench()
        let process = try bench.ready()
        bench.loop.close()
        #expect(!exists(process))
    }

    @Test func `with a decoder that is dropped is gone at once`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        var configuration = IsolatedDecoder.Configuration()
        configuration.program = Bench.helper
        var decoder: IsolatedDecoder? = IsolatedDecoder(on: loop, configuration: configuration)
        var outcome: Bench.Outcome?
        decoder?.decode(.bytes(Sample.png(4, 4)), named: "", fitting: .small) { outcome = $0 }
        let process = try #require(decoder?.processes.first)
        decoder = nil
        #expect(outcome?.error == .closed)
        #expect(!exists(process))
    }
}

import Glibc
import IdleLoop
import ImageLoading
import TestSupport
import Testing

@testable import IsolatedDecoding

@Suite struct `A helper that lies` {
    private static let lies: [(String, IsolatedError.HelperFailure)] =
        [
            "short", "short-with-file", "long", "wrong-mark", "wrong-kind", "odd-reason",
            "odd-truth", "endless-text", "negative-text", "reason-with-file", "two-files",
            "ten-files", "picture-with-file",
        ].map { ($0, .invalidReply(.garbage)) }
        + ["wrong-id", "old-id", "ready-again"].map { ($0, .invalidReply(.unexpected)) }
        + [
            ("too-few", .invalidReply(.badPixels)),
            ("too-wide", .invalidReply(.wrongSize(PixelSize(width: 9, height: 1)))),
            ("no-size", .invalidReply(.wrongSize(PixelSize(width: 0, height: 0)))),
            ("negative-size", .invalidReply(.wrongSize(PixelSize(width: -4, height: -4)))),
            ("endless-size", .invalidReply(.wrongSize(PixelSize(width: .max, height: .max)))),
        ]
    /// Which are ended, or end.
    private static let ends: [(String, IsolatedError.HelperFailure)] =
        ["empty", "empty-with-file", "hang-up"].map { ($0, .ended(.killed(signal: SIGKILL))) }
        + [
            ("abort", .ended(.killed(signal: SIGABRT))), ("exit", .ended(.exited(status: 7))),
        ]

    @Test(arguments: lies + ends)
    func `is found out, and costs one picture`(
        name: String, failure: IsolatedError.HelperFailure
    ) throws {
        let folder = try Folder()
        let program = try folder.fake(name)
        let bench = try Bench { $0.program = program }
        let isLie = if case .invalidReply = failure { true } else { false }
        for count in 1...2 {
            let outcome = try bench.outcome(of: Sample.png(4, 4))
            #expect(outcome.error == .helper(file: "bytes", failure))
            #expect(bench.decoder.statistics.invalidReplies == (isLie ? count : 0))
            #expect(bench.decoder.processes.isEmpty)
            #expect(bench.decoder.statistics.started == count)
        }
    }

    @Test func `by working on is ended when it has used its processor time`() throws {
        let folder = try Folder()
        let program = try folder.fake("burn")
        let bench = try Bench { $0.program = program }
        let limits = PictureLimits(time: .milliseconds(10))
        let outcome = try bench.outcome(of: Sample.png(4, 4), limits: limits)
        #expect(outcome.error?.timeLimit == .milliseconds(10))
        try bench.run { bench.decoder.processes.isEmpty }
        let statistics = bench.decoder.statistics
        #expect(statistics.refused == 1 && statistics.hung == 0)
        // By the system's count, whatever it says.
        #expect(statistics.cpu > .milliseconds(260))
    }

    @Test func `by working when it has answered is ended, without another picture too`() throws {
        let folder = try Folder()
        let program = try folder.fake("answer-and-burn")
        let bench = try Bench { $0.program = program }
        #expect(try bench.outcome(of: Sample.png(4, 4)).isSuccess)
        try bench.run { bench.decoder.processes.isEmpty }
        #expect(bench.decoder.statistics.invalidReplies == 1)
    }

    @Test func `by working when it has answered gets no other picture`() throws {
        let folder = try Folder()
        let program = try folder.fake("answer-and-burn")
        let bench = try Bench { $0.program = program }
        #expect(try bench.outcome(of: Sample.png(4, 4)).isSuccess)
        let process = try #require(bench.decoder.processes.first)
        // A quarter of a second of its own time, however long that takes.
        while processorTime(of: process) < .milliseconds(300) { sched_yield() }
        #expect(try bench.outcome(of: Sample.png(4, 4)).isSuccess)
        #expect(bench.decoder.processes != [process])
        #expect(bench.decoder.statistics.invalidReplies == 1)
        #expect(bench.decoder.statistics.started == 2)
    }

    @Test func `by speaking unasked is ended, and costs nothing or one picture`() throws {
        let folder = try Folder()
        let program = try folder.fake("unasked")
        let bench = try Bench { $0.program = program }
        // What it said first may come before or after the request, whose number it guesses.
        _ = try bench.outcome(of: Sample.png(4, 4))
        try bench.run {
            bench.decoder.statistics.invalidReplies > 0 || bench.decoder.statistics.pictures > 0
        }
    }

    @Test func `by a flood of answers is ended at the first too many`() throws {
        let folder = try Folder()
        let program = try folder.fake("flood")
        let bench = try Bench { $0.program = program }
        // The first answer is as good as any.
        #expect(try bench.outcome(of: Sample.png(4, 4)).isSuccess)
        try bench.run { bench.decoder.statistics.invalidReplies == 1 }
        #expect(bench.decoder.processes.isEmpty)
    }

    @Test func `can't keep more in the file that it was sent`() throws {
        let file = try SharedBytes.file(of: [1, 2, 3])
        #expect(ftruncate(file.number, 1 << 20) == -1)
        #expect(ftruncate(file.number, 0) == -1)
        #expect(unsafe pwrite(file.number, [9], 1, 3) == -1)
        #expect(SharedBytes.read(file, count: 4) == nil)
        #expect(SharedBytes.read(file, count: 3).map(Array.init) == [1, 2, 3])
    }

    @Test func `can't break a line or drive a terminal`() throws {
        let folder = try Folder()
        let program = try folder.fake("escapes")
        let bench = try Bench { $0.program = program }
        let reason = PictureError.Reason.corrupt("a\\u{1b}[2J\\u{a}\u{fffd}b")
        #expect(
            try bench.outcome(of: Sample.png(4, 4)).error
                == .picture(PictureError(file: "bytes", reason: reason)))
    }

    @Test(arguments: ["answer-and-exit", "honest"])
    func `not is believed, even if it ends right after`(name: String) throws {
        let folder = try Folder()
        let program = try folder.fake(name)
        for _ in 0..<5 {
            let bench = try Bench { $0.program = program }
            let outcome = try bench.outcome(of: Sample.png(4, 4))
            #expect(try Array(outcome.get().pixels) == [UInt8](repeating: 0x80, count: 64))
            #expect(bench.decoder.statistics.died == 0)
        }
    }
}

/// What the system has counted of a process's work.
private func processorTime(of process: pid_t) -> Duration {
    var clock = clockid_t()
    var time = timespec()
    unsafe clock_getcpuclockid(process, &clock)
    unsafe clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

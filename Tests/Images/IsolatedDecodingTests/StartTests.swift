import COldKernel
import Glibc
import IdleLoop
import ImageLoading
import TestSupport
import Testing

@testable import IsolatedDecoding

@Suite struct `A helper that doesn't start` {
    @Test func `since there is no such program fails all that wait, and isn't tried in a row`()
        throws
    {
        let bench = try Bench {
            $0.program = "/nowhere/lull-picture-helper"
            $0.backoff = .seconds(30) ... .seconds(30)
        }
        let error = IsolatedError.noHelper(
            .system(.system(call: "posix_spawn", errno: ENOENT)))
        var errors: [IsolatedError?] = []
        for _ in 0..<10 {
            bench.decoder.decode(.bytes([]), named: "", fitting: .small) {
                errors.append($0.error)
            }
        }
        #expect(errors.isEmpty)
        try bench.run { errors.count == 10 }
        #expect(errors.allSatisfy { $0 == error && $0?.isTransient == true })
        #expect(bench.decoder.statistics.startFailures == 1)
        #expect(try bench.outcome(of: []).error == error)
        #expect(bench.decoder.statistics.startFailures == 1)
    }

    @Test(arguments: [
        ("early-exit", IsolatedError.HelperFailure.ended(.exited(status: 3))),
        ("early-death", .ended(.killed(signal: SIGABRT))), ("stranger", .invalidReply(.garbage)),
        ("other-version", .invalidReply(.garbage)), ("ready-with-file", .invalidReply(.garbage)),
        ("silent-start", .silent(after: .milliseconds(50))),
        // What the sandbox is there for.
        ("try-open", .ended(.killed(signal: SIGSYS))),
        ("try-socket", .ended(.killed(signal: SIGSYS))),
        ("try-fork", .ended(.killed(signal: SIGSYS))),
        ("try-exec", .ended(.killed(signal: SIGSYS))),
        ("try-kill", .ended(.killed(signal: SIGSYS))),
        ("try-trace", .ended(.killed(signal: SIGSYS))),
        ("try-code", .ended(.killed(signal: SIGSYS))),
        ("try-file", .ended(.killed(signal: SIGSYS))),
        ("try-grow", .ended(.killed(signal: SIGXFSZ))), ("try-nothing", .ended(.exited(status: 0))),
        ("try-kept", .ended(.exited(status: 0))),
        ("try-kept-on-old-kernel", .ended(.exited(status: 0))),
        ("try-open-on-old-kernel", .ended(.killed(signal: SIGSYS))),
    ])
    func `properly is told from one that fails over a picture`(
        name: String, failure: IsolatedError.HelperFailure
    ) throws {
        let folder = try Folder()
        let program = try folder.fake(name)
        let bench = try Bench {
            $0.program = program
            if name == "silent-start" { $0.startDeadline = .milliseconds(50) }
            $0.backoff = .seconds(30) ... .seconds(30)
        }
        let error = IsolatedError.noHelper(failure)
        #expect(try bench.outcome(of: Sample.png(4, 4)).error == error)
        #expect(try bench.outcome(of: Sample.png(4, 4)).error == error)
        #expect(bench.decoder.statistics.started == 1)
        #expect(bench.decoder.statistics.startFailures == 1)
        #expect(bench.decoder.processes.isEmpty)
    }

    @Test func `though it says so isn't tried in a row either`() throws {
        let folder = try Folder()
        let program = try folder.fake("deaf")
        let bench = try Bench {
            $0.program = program
            $0.backoff = .seconds(30) ... .seconds(30)
        }
        var error: IsolatedError?
        bench.decoder.decode(.bytes(Sample.png(4, 4)), named: "", fitting: .small) {
            error = $0.error
        }
        try bench.run { error != nil || bench.decoder.statistics.started > 5 }
        // It's gone, or has ended, whichever is seen first.
        let ends: [IsolatedError.HelperFailure] = [.ended(.unknown), .ended(.exited(status: 0))]
        #expect(ends.contains { error == .noHelper($0) })
        #expect(bench.decoder.statistics.started == 1)
        #expect(bench.decoder.statistics.startFailures == 1)
    }

    @Test func `since nobody who wants pictures has started it says what it is`() throws {
        let process = try HelperProcess(path: Bench.helper, socket: SharedBytes.file())
        var status: Int32 = 0
        while unsafe waitpid(process.number, &status, 0) < 0, errno == EINTR {}
        #expect(status == EX_USAGE << 8)
    }

    @Test func `since the kernel has no process descriptors says which call is missing`() async {
        await #expect(processExitsWith: .success) {
            precondition(lull_enter_old_kernel() == 0, "the calls are missing")
            let bench = try Bench()
            let missing = LoopError.system(call: "pidfd_open", errno: ENOSYS)
            #expect(try bench.outcome(of: Sample.png(4, 4)).error == .noHelper(.system(missing)))
            var status: Int32 = 0
            #expect(unsafe waitpid(-1, &status, WNOHANG) == -1, "no process is left")
        }
    }

    @Test func `is tried again when some time has passed`() throws {
        let folder = try Folder()
        let bench = try Bench {
            $0.program = "\(folder.path)/honest"
            $0.backoff = .nanoseconds(1) ... .seconds(30)
        }
        #expect(try bench.outcome(of: Sample.png(4, 4)).error?.isTransient == true)
        _ = try folder.fake("honest")
        #expect(try bench.outcome(of: Sample.png(4, 4)).isSuccess)
    }

    @Test func `is waited for twice as long each time`() {
        let times: ClosedRange<Duration> = .seconds(1) ... .seconds(5)
        let failure = IsolatedError.HelperFailure.invalidReply(.garbage)
        var backoff = StartBackoff()
        let start = Instant.zero
        for wait in [1, 2, 4, 5, 5].map(Duration.seconds) {
            backoff.add(failure, at: start, times)
            #expect(backoff.reason(at: start.advanced(by: wait - .nanoseconds(1))) == failure)
            #expect(backoff.reason(at: start.advanced(by: wait)) == nil)
        }
        backoff = StartBackoff()
        backoff.add(failure, at: start, times)
        #expect(backoff.reason(at: start.advanced(by: .seconds(1))) == nil)
    }
}

import Glibc
import IdleLoop
import ImageLoading
import TestSupport
import Testing

@testable import IsolatedDecoding

/// In processes of their own, since tests beside them open and close descriptors.
@Suite struct `A decoder leaves nothing behind` {
    @Test func `after sixty pictures and twenty deaths`() async {
        await #expect(processExitsWith: .success) {
            let bench = try Bench()
            _ = try bench.ready()
            let before = openDescriptors()
            for round in 0..<60 {
                _ = try bench.outcome(of: round % 3 == 0 ? [1, 2] : Sample.jpeg(20, 20))
                if round % 3 == 1, let process = bench.decoder.processes.first {
                    kill(process, SIGKILL)
                    try bench.run { !exists(process) }
                }
            }
            _ = try bench.ready()
            #expect(openDescriptors() == before)
            bench.decoder.close()
            #expect(waitpid(-1, nil, WNOHANG) == -1)
            #expect(errno == ECHILD)
        }
    }

    @Test func `of what liars send`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let names = [
                "two-files", "ten-files", "short-with-file", "empty-with-file", "picture-with-file",
                "reason-with-file", "ready-with-file", "flood", "abort", "exit", "stranger",
            ]
            _ = try Bench().ready()
            let before = openDescriptors()
            for name in names {
                let program = try folder.fake(name)
                let bench = try Bench { $0.program = program }
                _ = try bench.outcome(of: Sample.png(4, 4))
            }
            #expect(openDescriptors() == before)
            #expect(waitpid(-1, nil, WNOHANG) == -1)
        }
    }

    @Test func `when it has no descriptors left, and goes on when it has some`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let path = try folder.file("a.png", Sample.png(4, 4))
            let bench = try Bench {
                $0.backoff = .nanoseconds(1) ... .seconds(30)
            }
            // With a helper and without one.
            for _ in 0..<2 {
                for spare in 0..<8 {
                    let taken = takeDescriptors(leaving: spare)
                    let outcome = try bench.outcome(ofFile: path)
                    for number in taken { close(number) }
                    if case .failure(let error) = outcome { #expect(isShortage(error)) }
                    #expect(try bench.outcome(ofFile: path).isSuccess)
                }
                for process in bench.decoder.processes {
                    kill(process, SIGKILL)
                    try bench.run { !exists(process) }
                }
            }
        }
    }
}

private func isShortage(_ error: IsolatedError) -> Bool {
    switch error {
    case .system(.system(_, EMFILE)), .noHelper(.system(.system(_, EMFILE))): true
    case .picture(let error): error.reason == .cannotOpen(errno: EMFILE)
    default: false
    }
}

private func openDescriptors() -> Int {
    (0..<20_000).count { fcntl($0, F_GETFD) != -1 }
}

/// All descriptors that there are, but for some.
private func takeDescriptors(leaving count: Int) -> [Int32] {
    var all: [Int32] = []
    while true {
        let number = dup(0)
        guard number >= 0 else { break }
        all.append(number)
    }
    for _ in 0..<count { close(all.removeLast()) }
    return all
}

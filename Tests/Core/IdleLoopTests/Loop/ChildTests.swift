import CLullLibevent
import Foundation
import IdleLoop
import Testing

/// The ends of other processes.
struct ChildTests {
    /// Starts a shell that runs `script`.
    static func start(_ script: String) throws -> pid_t {
        let command = ["/bin/sh", "-c", script]
        var words: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var process = pid_t()
        let code = unsafe posix_spawn(&process, "/bin/sh", nil, nil, &words, environ)
        try #require(code == 0)
        return process
    }

    /// Waits for a process to end, and doesn't reap it unless told to.
    private func waitForEnd(of process: pid_t, reaping: Bool = false) {
        var info = unsafe siginfo_t()
        unsafe waitid(P_PID, id_t(process), &info, WEXITED | (reaping ? 0 : WNOWAIT))
    }

    private func isReaped(_ process: pid_t) -> Bool {
        waitpid(process, nil, WNOHANG) == -1 && errno == ECHILD
    }

    @Test(arguments: [
        ("exit 0", ChildExit.exited(status: 0)), ("exit 7", .exited(status: 7)),
        ("exit 255", .exited(status: 255)), ("kill -9 $$", .killed(signal: SIGKILL)),
        ("kill -11 $$", .killed(signal: SIGSEGV)),
    ])
    func `the loop hears how a child ended, once, and reaps it`(
        script: String, end: ChildExit
    ) throws {
        let loop = try MainLoop()
        defer { loop.close() }
        let child = try Self.start(script)
        var ends: [ChildExit] = []
        let watch = try loop.watch(child: child) { end in
            ends.append(end)
            loop.stop()
        }
        try loop.run()
        loop.schedule(after: .zero) { loop.stop() }
        try loop.run()
        #expect(ends == [end])
        #expect(!watch.isActive)
        #expect(isReaped(child))
        #expect(throws: LoopError.noProcess(child)) { try loop.watch(child: child) { _ in } }
    }

    @Test func `several children are told from each other`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        var ends: [Int: ChildExit] = [:]
        for index in 0..<10 {
            let child = try Self.start(index % 2 == 0 ? "exit \(index)" : "kill -9 $$")
            try loop.watch(child: child) { end in
                ends[index] = end
                if ends.count == 10 { loop.stop() }
            }
        }
        try loop.run()
        for index in 0..<10 {
            let number = Int32(index)
            #expect(
                ends[index]
                    == (index % 2 == 0 ? .exited(status: number) : .killed(signal: SIGKILL)))
        }
    }

    @Test func `a child that has ended already is told of`() throws {
        let (loop, _) = try virtualLoop()
        let child = try Self.start("exit 3")
        waitForEnd(of: child)
        var ends: [ChildExit] = []
        try loop.watch(child: child) { ends.append($0) }
        try loop.run()
        #expect(ends == [.exited(status: 3)])
        #expect(isReaped(child))
    }

    @Test func `of a child that somebody else has reaped only the end is known`() throws {
        let (loop, _) = try virtualLoop()
        let child = try Self.start("read line")  // from a standard input that may be at its end
        var ends: [ChildExit] = []
        try loop.watch(child: child) { ends.append($0) }
        kill(child, SIGKILL)
        waitForEnd(of: child, reaping: true)
        try loop.run()
        #expect(ends == [.unknown])
    }

    @Test func `a watch on a child that is cancelled leaves it to others`() throws {
        let (loop, _) = try virtualLoop()
        let child = try Self.start("exit 4")
        var calls = 0
        try loop.watch(child: child) { _ in calls += 1 }.cancel()
        waitForEnd(of: child)
        try loop.run()
        #expect(calls == 0)
        #expect(!isReaped(child))
        waitForEnd(of: child, reaping: true)
    }

    @Test(arguments: [1, getppid(), getpid()])
    func `a process that isn't a child may be watched too`(process: pid_t) throws {
        let (loop, _) = try virtualLoop()
        defer { loop.close() }
        var calls = 0
        let watch = try loop.watch(child: process) { _ in calls += 1 }
        try loop.run()
        #expect(calls == 0)
        #expect(watch.isActive)
    }

    @Test(arguments: [0, -1, .min, .max])
    func `what is no process can't be watched`(number: pid_t) throws {
        let loop = try MainLoop()
        #expect(throws: LoopError.noProcess(number)) { try loop.watch(child: number) { _ in } }
    }

    @Test(arguments: HostKind.allCases)
    func `a host's dispatch doesn't end before a child that is watched, which may end the loop`(
        kind: HostKind
    ) throws {
        let guest = try Guest(on: HostBase(kind))
        defer { guest.close() }
        var ends: [ChildExit] = []
        try guest.loop.watch(child: try Self.start("exit 5")) { end in
            ends.append(end)
            guest.close()
        }
        #expect(guest.host.run() == 1)
        #expect(ends == [.exited(status: 5)])
        #expect(guest.host.pending == 0)
    }
}

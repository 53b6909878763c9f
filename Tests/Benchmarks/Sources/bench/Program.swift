import Foundation
import Glibc

/// A contender's program, run once.
struct Program {
    let path: String
    let arguments: [String]
    let environment: [String: String]

    enum Failure: Error, CustomStringConvertible {
        case system(call: String, errno: Int32)
        case exited(status: Int32)
        case killed(signal: Int32)
        case tookTooLong(seconds: Int)

        var description: String {
            switch self {
            case .system(let call, let errno): unsafe "\(call): \(String(cString: strerror(errno)))"
            case .exited(let status): "exited with \(status)"
            case .killed(let signal): "was killed by signal \(signal)"
            case .tookTooLong(let seconds): "was ended after \(seconds) s"
            }
        }
    }

    /// Runs it, at most for `limit` seconds, and returns what it printed.
    func output(limit: Int) throws(Failure) -> String {
        let (readingEnd, writingEnd) = try makePipe()
        defer { close(readingEnd) }
        let process: pid_t
        do {
            defer { close(writingEnd) }
            process = try spawn(output: writingEnd)
        }
        let deadline = ContinuousClock.now + .seconds(limit)
        let output = read(readingEnd, until: deadline)
        guard let status = wait(for: process, until: deadline) else {
            kill(process, SIGKILL)
            _ = wait(for: process, until: nil)
            throw .tookTooLong(seconds: limit)
        }
        let signal = status & 0x7f
        if signal != 0 { throw .killed(signal: signal) }
        let code = status >> 8 & 0xff
        if code != 0 { throw .exited(status: code) }
        return output
    }

    private func makePipe() throws(Failure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw .system(call: "pipe", errno: errno) }
        // The child shall have only what is made its standard output, or there is no end of file.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private func spawn(output: Int32) throws(Failure) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)

        let variables = environment.map { "\($0.key)=\($0.value)" }
        var argv = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        var envp = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer { unsafe (argv + envp).forEach { unsafe free($0) } }
        var process: pid_t = 0
        let error = unsafe posix_spawn(&process, path, &actions, nil, &argv, &envp)
        guard error == 0 else { throw .system(call: "posix_spawn \(path)", errno: error) }
        return process
    }

    /// Reads until the other end is closed or time is up.
    private func read(_ descriptor: Int32, until deadline: ContinuousClock.Instant) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            var waiting = pollfd(descriptor: descriptor)
            guard left > .zero, unsafe poll(&waiting, 1, Int32(left / .milliseconds(1)) + 1) > 0
            else { break }
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits for the process to end, and returns its status; nil if it takes longer.
    private func wait(
        for process: pid_t, until deadline: ContinuousClock.Instant?
    ) -> Int32? {
        var status: Int32 = 0
        while true {
            let ended = unsafe waitpid(process, &status, deadline == nil ? 0 : WNOHANG)
            if ended == process { return status }
            if let deadline, ContinuousClock.now >= deadline { return nil }
            usleep(2_000)
        }
    }
}

extension pollfd {
    fileprivate init(descriptor: Int32) {
        self.init(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }
}

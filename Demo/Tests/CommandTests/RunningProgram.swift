import Foundation

/// A built program that runs beside a test, which gives its input and reads its output.
final class RunningProgram {
    /// The descriptor from which its output is read.
    var descriptor: Int32 { outcome.fileHandleForReading.fileDescriptor }
    /// All that it has written so far.
    private(set) var output = Data()
    private let input = Pipe()
    private let outcome = Pipe()
    private var process = pid_t()
    private var isFinished = false

    /// Starts a program from a shell, which sets some variables before.
    init(_ variables: String, _ program: String, _ arguments: [String]) throws {
        let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: program).path
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(
            &actions, input.fileHandleForReading.fileDescriptor, 0)
        unsafe posix_spawn_file_actions_adddup2(
            &actions, outcome.fileHandleForWriting.fileDescriptor, 1)
        let command = ["/bin/sh", "-c", "\(variables) exec \"$0\" \"$@\"", path]
        var words: [UnsafeMutablePointer<CChar>?] =
            unsafe (command + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        for pipe in [input, outcome] {
            for handle in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
                _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
            }
        }
        let code = unsafe posix_spawn(&process, command[0], &actions, nil, &words, environ)
        guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .EIO) }
        try outcome.fileHandleForWriting.close()
    }

    deinit {
        guard !isFinished, process > 0 else { return }
        kill(process, SIGKILL)
        _ = finish()
    }

    /// Writes to its input.
    func send(_ keys: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data(keys.utf8))
    }

    /// Reads to the program's end: its status, or minus the signal that ended it.
    func finish() -> Int32 {
        while readSome() {}
        isFinished = true
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }

    /// Reads what there is, or waits for some; false at the program's end.
    func readSome() -> Bool {
        let bytes = outcome.fileHandleForReading.availableData
        output.append(bytes)
        return !bytes.isEmpty
    }
}

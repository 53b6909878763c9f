import Foundation

/// A terminal that a test holds the other end of, with a program in it.
final class PseudoTerminal {
    /// The other end.
    let master: Int32
    private var process = pid_t()
    private var isFinished = false
    /// All that the program has written so far.
    private(set) var output = Data()

    /// Starts a built program in a terminal of some size, from a shell by a command that begins with
    /// `shell`.
    init(
        columns: UInt16, lines: UInt16, shell: String, _ program: String, _ arguments: [String]
    ) throws {
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // What posix_openpt(3), unlockpt(3) and ptsname(3) do, which Swift doesn't see.
        var lock: CInt = 0
        var number: CUnsignedInt = 0
        guard master >= 0, unsafe ioctl(master, UInt(0x4004_5431), &lock) == 0,
            unsafe ioctl(master, UInt(0x8004_5430), &number) == 0
        else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
        let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: program).path
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(
            &actions, 0, "/dev/pts/\(number)", O_RDWR | O_NOCTTY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // The threads that tests run on hold all signals back; a shell doesn't.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let command = ["/bin/sh", "-c", "\(shell) \"$0\" \"$@\"", path]
        var words: [UnsafeMutablePointer<CChar>?] =
            unsafe (command + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        let code = unsafe posix_spawn(
            &process, command[0], &actions, &attributes, &words, environ)
        guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .EIO) }
    }

    deinit {
        if !isFinished, process > 0 {
            kill(process, SIGKILL)
            _ = finish()
        }
        close(master)
    }

    /// Presses keys.
    func send(_ keys: String) throws {
        guard !keys.isEmpty else { return }
        let written = unsafe keys.withCString { unsafe write(master, $0, strlen($0)) }
        guard written == keys.utf8.count else { throw POSIXError(.EIO) }
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
    @discardableResult
    func readSome() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe Foundation.read(master, bytes.baseAddress, bytes.count)
        }
        guard count > 0 else { return false }
        output.append(contentsOf: buffer[..<count])
        return true
    }
}

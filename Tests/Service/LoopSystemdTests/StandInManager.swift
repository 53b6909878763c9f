import Glibc
import TestSupport
import Testing

/// Stands in for systemd: starts `service-program` with sockets, variables and a watchdog as it does,
/// and hears what it says.
final class StandInManager {
    /// A field that never came.
    struct Silence: Error {
        let field: String
    }

    private let folder = makeTemporaryFolder("service")
    private let notify: DatagramSocket
    private var listener: Int32
    private var process: pid_t = 0
    private var isReaped = false
    /// How long a service may be silent, in milliseconds.
    static let watchdog: Int32 = 300

    /// Starts the service.
    init() throws {
        notify = try DatagramSocket("\(folder)/notify")
        listener = try StreamSocket.listen(at: "\(folder)/web")
        try #require(unsafe mkfifo("\(folder)/pressure", 0o600) == 0)
        let environment = [
            "NOTIFY_SOCKET=\(folder)/notify",
            "WATCHDOG_USEC=\(Self.watchdog)000",
            "LISTEN_FDS=1", "LISTEN_FDNAMES=web",
            "MEMORY_PRESSURE_WATCH=\(folder)/pressure",
            "LD_LIBRARY_PATH=\(text(of: "LD_LIBRARY_PATH"))",
            "SWIFT_BACKTRACE=enable=no",
        ]
        // Who the variables are meant for is known only when the process is there.
        let script = "LISTEN_PID=$$ WATCHDOG_PID=$$ exec \"$0\""
        process = try spawn(
            ["/bin/sh", "-c", script, program("service-program")], environment,
            output: "\(folder)/output", passing: listener)
    }

    deinit {
        if !isReaped {
            kill(process, SIGKILL)
            _ = end()
        }
        close(listener)
        for name in ["notify", "web", "pressure", "output"] { unsafe unlink("\(folder)/\(name)") }
        unsafe rmdir(folder)
    }

    /// Waits for a message with this field, and gives it: the feeds before it, and other news, are
    /// passed over.
    func wait(for field: String, _ value: String? = nil) throws -> [String: String] {
        // Ten minutes, and so many messages, are only there so that a test ends that has failed.
        for _ in 0..<10_000 {
            let message = try #require(notify.receive(within: 600_000), "\(field) never came")
            let found = message.fields[field]
            if let found, value == nil || found == value { return message.fields }
        }
        throw Silence(field: field)
    }

    /// Waits until the service has been silent for too long, and ends it as systemd does; false if it
    /// goes on.
    func barkIfSilent() -> Bool {
        for _ in 0..<20 where notify.receive(within: Self.watchdog) == nil {
            kill(process, SIGABRT)
            return true
        }
        return false
    }

    func send(_ signal: Int32) { kill(process, signal) }

    /// Says that memory is short.
    func tellPressure() {
        let writer = unsafe open("\(folder)/pressure", O_WRONLY | O_CLOEXEC)
        #expect(unsafe write(writer, "x", 1) == 1)
        close(writer)
    }

    /// What the service answers to somebody who connects to its socket.
    func answer() throws -> String {
        let connection = try StreamSocket.connect(to: "\(folder)/web")
        defer { close(connection) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = unsafe read(connection, &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    /// Waits for the service's end: its exit status, or minus the signal that ended it.
    func end() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        isReaped = true
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }

    /// What the service has printed so far.
    var output: String {
        guard let file = unsafe fopen("\(folder)/output", "r") else { return "" }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}

/// A variable of this process.
private func text(of variable: String) -> String {
    unsafe getenv(variable).map { unsafe String(cString: $0) } ?? ""
}

/// Where a program of this package was built.
private func program(_ name: String) -> String {
    let own = CommandLine.arguments[0]
    return own.prefix(through: own.lastIndex(of: "/") ?? own.startIndex) + name
}

/// Starts a process that gets `descriptor` as its number 3.
private func spawn(
    _ command: [String], _ environment: [String], output: String, passing descriptor: Int32
) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, 3)
    // A test's thread may hold signals back, which a child would, too.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] =
        unsafe environment.map { unsafe strdup($0) } + [nil]
    defer { unsafe (words + variables).forEach { unsafe free($0) } }
    var process = pid_t()
    let code = unsafe posix_spawn(&process, command[0], &actions, &attributes, &words, &variables)
    try #require(code == 0, "the service can be started")
    return process
}

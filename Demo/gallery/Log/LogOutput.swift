internal import Glibc
public import Logging
internal import Synchronization

/// The output of log lines to standard error, which never blocks.
///
/// A line is one write, so that lines of several threads and processes don't mix. A pipe that
/// nobody reads is full after 64 KB, and would block its writer; here the line is dropped and
/// counted instead, and the next line that can be written follows one that reports the number of
/// dropped lines. The descriptor isn't made nonblocking, as others share it: a shell its terminal,
/// a service its children. For a socket, such as the journal's, each send is nonblocking. A pipe or
/// a terminal is opened again through `/proc`, with a nonblocking descriptor; where that isn't
/// permitted, it is polled for room before each write, and the write can block only if another
/// process fills it in between. A file is written directly.
///
/// Writing to a pipe without readers raises SIGPIPE, which a program with a log should ignore; the
/// lines are then dropped and counted too. Any thread may write.
public final class LogOutput: Sendable {
    private let channel: LogChannel
    private let isJournal: Bool
    private let time: @Sendable () -> LogTime
    private let lostInAll = Atomic(0)
    private let untold = Atomic(0)
    private let minimum = Atomic(Logger.Level.info.number)

    /// Creates the output to standard error as it is now; to the journal if `$JOURNAL_STREAM` says
    /// so.
    public convenience init() {
        let stream = unsafe getenv("JOURNAL_STREAM").map { unsafe String(cString: $0) }
        self.init(to: STDERR_FILENO, journalStream: stream) { .now }
    }

    init(
        to descriptor: Int32, journalStream: String?, time: @escaping @Sendable () -> LogTime
    ) {
        channel = LogChannel(to: descriptor)
        isJournal = Self.isJournal(descriptor, journalStream)
        self.time = time
    }

    /// The number of lines that were dropped or truncated by a failed write.
    public var lostLines: Int { lostInAll.load(ordering: .relaxed) }

    /// The minimum level of entries that are written, unless a logger has its own.
    public var level: Logger.Level {
        get { Self.levels[minimum.load(ordering: .relaxed)] }
        set { minimum.store(newValue.number, ordering: .relaxed) }
    }

    private static let levels = Logger.Level.allCases

    func write(
        _ level: Logger.Level, _ label: String, _ message: String, _ metadata: Logger.Metadata
    ) {
        let missing = untold.exchange(0, ordering: .relaxed)
        if missing > 0,
            !channel.send(line(.warning, label, "log lines were lost", ["count": "\(missing)"]))
        {
            return lose(1, after: missing)
        }
        if !channel.send(line(level, label, message, metadata)) { lose(1) }
    }

    private func line(
        _ level: Logger.Level, _ label: String, _ message: String, _ metadata: Logger.Metadata
    ) -> [UInt8] {
        var line = LogLine()
        line.append(isJournal ? "<\(level.journalPriority)>" : "\(time().text) \(level) ")
        line.append(escaping: label)
        line.append(": ")
        line.append(escaping: message)
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) { line.append(key, value) }
        return line.whole
    }

    private func lose(_ lines: Int, after missing: Int = 0) {
        lostInAll.add(lines, ordering: .relaxed)
        untold.add(missing + lines, ordering: .relaxed)
    }

    /// Returns whether the descriptor is the one that systemd has connected to the journal:
    /// `device:inode`.
    private static func isJournal(_ descriptor: Int32, _ stream: String?) -> Bool {
        var status = stat()
        guard let stream, unsafe fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}

internal import Glibc
internal import Logging
internal import Synchronization

/// The output of a log's lines: standard error, whatever that is.
///
/// A line is one write, so that lines of several threads and processes don't mix, and no write waits.
/// A pipe that nobody reads is full after 64 KB, and would stop whoever writes to it for as long as
/// it's full; here the line is lost instead, and counted, and the next one that gets through comes
/// after one that tells how many were. The descriptor isn't made non-blocking for that, as others
/// share it: a shell its terminal, a service its children. A socket, which is what the journal
/// gives, is told at each send; a pipe or a terminal is opened once more for this alone, through
/// `/proc`; where that isn't allowed it's asked for room before each write, and only somebody else
/// who fills it in that moment can still stop the write. A file is written to as it is.
///
/// A pipe that nobody has open any more raises SIGPIPE, which a program with a log had better
/// ignore; then the lines are lost and counted too. Any thread may write.
public final class LogOutput: Sendable {
    private let channel: LogChannel
    private let isJournal: Bool
    private let time: @Sendable () -> LogTime
    private let lostInAll = Atomic(0)
    private let untold = Atomic(0)
    private let isTorn = Atomic(false)

    /// Standard error as it is now; the journal's if `$JOURNAL_STREAM` says so.
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

    deinit {
        channel.close()
    }

    /// The number of lines that weren't written, or not to their end.
    public var lostLines: Int { lostInAll.load(ordering: .relaxed) }

    func write(
        _ level: Logger.Level, _ label: String, _ message: String, _ metadata: Logger.Metadata
    ) {
        let missing = untold.exchange(0, ordering: .relaxed)
        if missing > 0, !send(line(.warning, label, "log lines were lost", ["count": "\(missing)"]))
        {
            return lose(1, after: missing)
        }
        if !send(line(level, label, message, metadata)) { lose(1) }
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

    /// Whether a line was written whole.
    private func send(_ line: [UInt8]) -> Bool {
        // After a piece of a line the next begins on one of its own.
        let wasTorn = isTorn.exchange(false, ordering: .relaxed)
        let line = wasTorn ? [UInt8(ascii: "\n")] + line : line
        let count = channel.write(line)
        if count > 0 ? count < line.count : wasTorn { isTorn.store(true, ordering: .relaxed) }
        return count == line.count
    }

    private func lose(_ lines: Int, after missing: Int = 0) {
        lostInAll.add(lines, ordering: .relaxed)
        untold.add(missing + lines, ordering: .relaxed)
    }

    /// Whether the descriptor is the one that systemd has tied to the journal: `device:inode`.
    private static func isJournal(_ descriptor: Int32, _ stream: String?) -> Bool {
        var status = stat()
        guard let stream, unsafe fstat(descriptor, &status) == 0 else { return false }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }
}

internal import Foundation
internal import Glibc
internal import Logging

/// A log handler that writes each entry to standard error, as one line that people and systemd's
/// journal read: with its priority if the journal does, else with the time.
///
/// Whatever is in an entry, it is one line, whose values end where their quotes do. Nobody waits for
/// who reads it: a line that a pipe or a socket has no room for is left out.
struct JournalLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    private let label: String

    init(_ label: String, _ level: Logger.Level) {
        self.label = label
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let time = Self.isJournal ? "" : "\(Date.now.formatted(.iso8601)) \(event.level) "
        let start = Self.isJournal ? "<\(event.level.priority)>" : time
        var facts = metadata.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error, facts["error"] == nil { facts["error"] = "\(error)" }
        let line = Array((start + Self.text(label, "\(event.message)", facts) + "\n").utf8)
        var room = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        if unsafe poll(&room, 1, 0) == 1 { unsafe write(STDERR_FILENO, line, line.count) }
    }

    /// Returns an entry as a line without its start, the metadata sorted by their keys.
    static func text(_ label: String, _ message: String, _ metadata: Logger.Metadata) -> String {
        var line = "\(label): \(visible(message))"
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            let text = visible("\(value)")
            let isPlain = !text.isEmpty && !text.contains { " =\"\\".contains($0) }
            line += " \(key)=" + (isPlain ? text : "\"\(text.replacing("\"", with: "\\\""))\"")
        }
        return line
    }

    /// Returns text of which all characters can be seen.
    private static func visible(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case _ where scalar == "\\": "\\\\"
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned:
                scalar.escaped(asASCII: true)
            default: String(scalar)
            }
        }.joined()
    }

    /// Whether standard error is what systemd has connected to the journal: `device:inode`.
    private static let isJournal: Bool = {
        var status = stat()
        guard let stream = unsafe getenv("JOURNAL_STREAM"),
            unsafe fstat(STDERR_FILENO, &status) == 0
        else { return false }
        return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }()
}

extension Logger.Level {
    /// The level as a syslog priority.
    fileprivate var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}

public import Logging

/// Writes a log so that systemd's journal, and people, can read it: a line for each entry.
///
/// ```swift
/// let output = LogOutput()
/// LoggingSystem.bootstrap { JournalLogHandler($0, to: output) }
/// ```
///
/// A line is `label: message key=value …`, the keys in order, values in quotes where that is needed
/// to tell where they end. Nothing in it can look like another line or move a terminal's cursor:
/// what isn't printed is escaped, as are bytes that aren't UTF-8 if they're given as `LogBytes`. The
/// journal gets the level as a number before it (`<6>`), anybody else the time and the level's name.
public struct JournalLogHandler: LogHandler {
    /// From which level on entries are written.
    public var logLevel = Logger.Level.info
    /// The metadata of every entry.
    public var metadata: Logger.Metadata = [:]
    /// The metadata that is asked for at every entry.
    public var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let output: LogOutput

    /// Writes what the logger of this label says.
    public init(
        _ label: String, to output: LogOutput, metadataProvider: Logger.MetadataProvider? = nil
    ) {
        self.label = label
        self.output = output
        self.metadataProvider = metadataProvider
    }

    /// One of the things that are said with every entry.
    public subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes an entry: what it says itself counts before what is said with every one.
    public func log(event: LogEvent) {
        var metadata = metadata
        if let provider = metadataProvider { metadata.merge(provider.get()) { $1 } }
        if let own = event.metadata { metadata.merge(own) { $1 } }
        if let error = event.error, metadata["error"] == nil { metadata["error"] = "\(error)" }
        output.write(event.level, label, "\(event.message)", metadata)
    }
}

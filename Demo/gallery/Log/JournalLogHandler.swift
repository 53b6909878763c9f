public import Logging

/// A log handler whose output systemd's journal and people can read: one line for each entry.
///
/// ```swift
/// let output = LogOutput()
/// LoggingSystem.bootstrap { JournalLogHandler($0, to: output) }
/// ```
///
/// A line is `label: message key=value …`, sorted by key, with values in quotes where their end
/// would be ambiguous. No entry can imitate another line or move a terminal's cursor: unprintable
/// characters are escaped, and so are bytes that aren't UTF-8, if they are given as `LogBytes`. For
/// the journal, the level is a number at the start of the line (`<6>`); otherwise the line starts
/// with the time and the level's name.
public struct JournalLogHandler: LogHandler {
    /// The minimum level of entries that are written: the output's, until another is set.
    public var logLevel: Logger.Level {
        get { ownLevel ?? output.level }
        set { ownLevel = newValue }
    }
    private var ownLevel: Logger.Level?
    /// The metadata of every entry.
    public var metadata: Logger.Metadata = [:]
    /// The provider of metadata that is queried for every entry.
    public var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let output: LogOutput

    /// Creates the handler of the logger with this label.
    public init(
        _ label: String, to output: LogOutput, metadataProvider: Logger.MetadataProvider? = nil
    ) {
        self.label = label
        self.output = output
        self.metadataProvider = metadataProvider
    }

    /// Accesses the metadata of every entry by key.
    public subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes an entry, whose own metadata has precedence over that of every entry.
    public func log(event: LogEvent) {
        var metadata = metadata
        if let provider = metadataProvider { metadata.merge(provider.get()) { $1 } }
        if let own = event.metadata { metadata.merge(own) { $1 } }
        if let error = event.error, metadata["error"] == nil { metadata["error"] = "\(error)" }
        output.write(event.level, label, "\(event.message)", metadata)
    }
}

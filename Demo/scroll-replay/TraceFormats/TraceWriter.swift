public import LullTesting

/// A writer of traces in this package's own format, or in that of Chrome's tracing.
///
/// ```swift
/// var text = ""
/// TraceWriter(.chrome)?.write(trace) { text += $0 }
/// ```
///
/// `TraceFile` reads back what it writes.
public struct TraceWriter: Sendable {
    /// The format that is written.
    public let dialect: TraceDialect

    /// Creates a writer of a format; nil if the format can only be read.
    public init?(_ dialect: TraceDialect) {
        guard dialect.isWritable else { return nil }
        self.dialect = dialect
    }

    /// Writes a trace in pieces.
    public func write(_ trace: Trace, to sink: (String) throws -> Void) rethrows {
        dialect == .chrome
            ? try ChromeText.write(trace, to: sink) : try OwnText.write(trace, to: sink)
    }
}

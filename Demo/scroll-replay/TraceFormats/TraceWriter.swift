public import LullTesting

/// A writer of traces in the format of a recording tool.
///
/// ```swift
/// var text = ""
/// TraceWriter(.evemu)?.write(trace) { text += $0 }
/// ```
///
/// `TraceFile` reads back what it writes: fingers, wheels and keys to the unit of the format, and
/// the offsets in formats that have them.
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
        switch dialect {
        case .own: try OwnText.write(trace, to: sink)
        case .evemu: try EvdevText(EvemuText(), trace).write(to: sink)
        case .libinputRecord: try EvdevText(LibinputRecordText(), trace).write(to: sink)
        case .getevent: try EvdevText(GeteventText(isLabelled: false), trace).write(to: sink)
        case .geteventLabelled:
            try EvdevText(GeteventText(isLabelled: true), trace).write(to: sink)
        case .evtest: try EvdevText(EvtestText(), trace).write(to: sink)
        case .rrweb: try RrwebText.write(trace, to: sink)
        case .chrome: try ChromeText.write(trace, to: sink)
        case .wayland, .libinputDebugEvents, .evdev:
            preconditionFailure("a writer's dialect is written")
        }
    }

    /// Returns a description of what the format can't express of a trace; nil if it can express
    /// all.
    public func omissions(from trace: Trace) -> String? {
        var parts: [String] = []
        switch dialect {
        case .own, .chrome, .wayland, .libinputDebugEvents, .evdev: break
        case .rrweb:
            let others = trace.events.count {
                switch $0.input {
                case .wheel, .key: true
                case .down, .move, .up, .cancel: false
                }
            }
            if others > 0 { parts.append(counted(others, "wheel turn or key")) }
        case .evemu, .libinputRecord, .getevent, .geteventLabelled, .evtest:
            if !trace.samples.isEmpty { parts.append(counted(trace.samples.count, "offset")) }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

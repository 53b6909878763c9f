/// The format of a recording.
public enum TraceDialect: String, CaseIterable, Sendable {
    /// This package's own format: one JSON object a line.
    case own
    /// The output of `evemu-record`.
    case evemu
    /// The output of `libinput record`.
    case libinputRecord = "libinput-record"
    /// The output of Android's `getevent -t` or `getevent -lt`.
    case getevent
    /// A session recorded by rrweb: a JSON array of events, or one or more events a line.
    case rrweb
    /// A Chrome trace with the category `input`.
    case chrome
    /// The kernel's binary events; only recorded.
    case evdev

    /// The name of the format in a sentence.
    public var title: String {
        switch self {
        case .own: "scroll trace"
        case .evemu: "evemu"
        case .libinputRecord: "libinput record"
        case .getevent: "getevent"
        case .rrweb: "rrweb"
        case .chrome: "Chrome trace"
        case .evdev: "input device"
        }
    }

    /// Whether traces can be written in this format.
    public var isWritable: Bool { self == .own || self == .chrome }

    /// An example line, for messages about what was expected.
    package var example: String {
        switch self {
        case .own: "a JSON object such as {\"t\":0,\"y\":0,\"phase\":\"scroll\"}"
        case .evemu: "a line such as \"E: 0.000001 0003 0036 0379\""
        case .libinputRecord: "a line such as \"- [  0,  81209,   3,  54,     368]\""
        case .getevent:
            "a line such as \"[   53890.000001] /dev/input/event5: 0003 0036 0000017b\""
        case .rrweb: "JSON events with \"type\" and \"timestamp\""
        case .chrome: "JSON events with \"name\", \"ph\" and \"ts\""
        case .evdev: "events of 24 bytes each"
        }
    }

    /// Examples of recordings, for messages about what was expected.
    static let examples =
        "\(TraceDialect.own.example) on each line, or what evemu, libinput record, getevent -t, "
        + "rrweb or Chrome's tracing gives"

    /// Returns a reader of input events in this format; nil if it doesn't have one event a line.
    func eventReader(_ options: TraceFileOptions) -> EvdevFormat? {
        switch self {
        case .evemu: EvdevFormat(EvemuLines(), options)
        case .libinputRecord: EvdevFormat(LibinputRecordLines(), options)
        case .getevent: EvdevFormat(GeteventLines(), options)
        case .own, .rrweb, .chrome, .evdev: nil
        }
    }
}

/// The format of a recording; all can be read, and most can be written.
public enum TraceDialect: String, CaseIterable, Sendable {
    /// This package's own format: one JSON object a line.
    case own
    /// The output of `evemu-record`.
    case evemu
    /// The output of `libinput record`.
    case libinputRecord = "libinput-record"
    /// The output of `getevent -t`.
    case getevent
    /// The output of `getevent -lt`; read as `getevent`.
    case geteventLabelled = "getevent-l"
    /// The output of `evtest`.
    case evtest
    /// A session recorded by rrweb: a JSON array of events, or one or more events a line.
    case rrweb
    /// A Chrome trace with the category `input`.
    case chrome
    /// The log of a program under `WAYLAND_DEBUG=1`; not written.
    case wayland
    /// The output of `libinput debug-events`; not written.
    case libinputDebugEvents = "libinput-debug-events"
    /// The kernel's binary events; only recorded.
    case evdev

    /// The name of the format in a sentence.
    public var title: String {
        switch self {
        case .own: "scroll trace"
        case .evemu: "evemu"
        case .libinputRecord: "libinput record"
        case .getevent, .geteventLabelled: "getevent"
        case .evtest: "evtest"
        case .rrweb: "rrweb"
        case .chrome: "Chrome trace"
        case .wayland: "Wayland debug log"
        case .libinputDebugEvents: "libinput debug-events"
        case .evdev: "input device"
        }
    }

    /// Whether traces can be written in this format.
    public var isWritable: Bool {
        switch self {
        case .wayland, .libinputDebugEvents, .evdev: false
        default: true
        }
    }

    /// An example line, for messages about what was expected.
    package var example: String {
        switch self {
        case .own: "a JSON object such as {\"t\":0,\"y\":0,\"phase\":\"scroll\"}"
        case .evemu: "a line such as \"E: 0.000001 0003 0036 0379\""
        case .libinputRecord: "a line such as \"- [  0,  81209,   3,  54,     368]\""
        case .getevent, .geteventLabelled:
            "a line such as \"[   53890.000001] /dev/input/event5: 0003 0036 0000017b\""
        case .evtest:
            "a line such as \"Event: time 1.000001, type 3 (EV_ABS), code 54 (…), value 368\""
        case .rrweb: "JSON events with \"type\" and \"timestamp\""
        case .chrome: "JSON events with \"name\", \"ph\" and \"ts\""
        case .wayland: "a line such as \"[3273245.129]  wl_pointer@31.axis(3273245, 0, 10.000)\""
        case .libinputDebugEvents:
            "a line such as \" event5   TOUCH_DOWN  +1.204s\t0 (0) 45.67/78.90 (120.30/156.20mm)\""
        case .evdev: "events of 24 bytes each"
        }
    }
}

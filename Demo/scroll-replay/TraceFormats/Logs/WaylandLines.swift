import LullTesting

/// The log of a program under `WAYLAND_DEBUG=1`, of which wheels and touches are used.
///
/// ```text
/// [3273245.129]  wl_pointer@31.axis(3273245, 0, 10.000)
/// [3273308.400]  wl_touch@32.motion(3273308, 0, 206.00, 716.38)
/// ```
///
/// The times are those of the compositor, in ms. Other lines are ignored.
struct WaylandLines: LineFormat {
    let dialect = TraceDialect.wayland
    let notes: [String] = []
    private let notch: Double
    private var time = TimeLine()
    private var finger: (id: Int64, y: Double)?
    private var isWheel = false
    // The wheel turn of the frame that is being read: time, px, and number of notches.
    private var turn: (time: Int64, way: Double)?
    private var notches: Double?

    init(_ options: TraceFileOptions) {
        notch = options.notch
    }

    var start: Int64? { time.first }

    mutating func read(_ line: [UInt8]) throws(Complaint) -> [Trace.Event] {
        guard let call = WaylandCall(line) else { return [] }
        let events = call.object == "wl_touch" ? touch(call) : pointer(call)
        guard let events else { throw Complaint(line, in: dialect) }
        for event in events { try time.advance(to: event.time) }
        return events
    }

    private mutating func touch(_ call: WaylandCall) -> [Trace.Event]? {
        let values = call.values
        switch call.name {
        case "down":
            guard values.count >= 6 else { return nil }
            guard finger == nil else { return [] }
            finger = (values[3].whole, values[5].real)
            return [.init(time: values[1].milliseconds, .down(y: values[5].real))]
        case "motion":
            guard values.count >= 4 else { return nil }
            guard finger?.id == values[1].whole else { return [] }
            finger?.y = values[3].real
            return [.init(time: values[0].milliseconds, .move(y: values[3].real))]
        case "up":
            guard values.count >= 3 else { return nil }
            guard let down = finger, down.id == values[2].whole else { return [] }
            finger = nil
            return [.init(time: values[1].milliseconds, .up(y: down.y))]
        case "cancel":
            guard let down = finger else { return [] }
            finger = nil
            // The log's own time is of another clock than the events' times.
            return [.init(time: time.last ?? 0, .cancel(y: down.y))]
        default: return []
        }
    }

    private mutating func pointer(_ call: WaylandCall) -> [Trace.Event]? {
        let values = call.values
        switch call.name {
        case "axis_source":
            guard let source = values.first else { return nil }
            isWheel = source.whole == 0
        case "axis_value120", "axis_discrete":
            guard values.count >= 2 else { return nil }
            let unit = call.name == "axis_discrete" ? 1.0 : 120
            if values[0].whole == 0 { notches = values[1].real / unit }
        case "axis":
            guard values.count >= 3 else { return nil }
            if values[1].whole == 0 {
                turn = (values[0].milliseconds, (turn?.way ?? 0) + values[2].real)
            }
        case "frame":
            defer {
                turn = nil
                notches = nil
                isWheel = false
            }
            guard let turn else { return [] }
            let way = isWheel ? notches.map { $0 * notch } ?? turn.way : turn.way
            return [.init(time: turn.time, .wheel(dy: way))]
        default: break
        }
        return []
    }
}

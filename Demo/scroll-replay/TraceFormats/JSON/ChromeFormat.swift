import LullTesting
import ReplayText
import ScrollModel

/// A Chrome trace: the offset after each scroll update, one for each frame.
///
/// The events of such a trace are in no particular order. It doesn't contain touches, wheel turns
/// or key presses, unless this package wrote it.
struct ChromeFormat: JSONFormat {
    static let dialect = TraceDialect.chrome
    static let kept = [
        "name", "cat", "ts", "args", "scroll_deltas", "visual_offset_y", "scroll_jank_v4",
        "vsync_interval_us", "traceEvents", "phase", "y", "dy", "viewport", "hz",
    ]
    static let streams: Set<String> = ["traceEvents"]
    static let mayStayOpen = true

    static let update = "InputHandlerProxy::HandleGestureScrollUpdate_Result"
    /// The names of this package's own input events and of the event that marks the start of the
    /// recording.
    static let input = "Lull input"
    static let start = "Lull start"

    private var time = TimestampCheck()
    private var recording: Recording
    private var start: Instant?
    private var count = 0
    private var hasInputCategory = false

    init(_ options: TraceFileOptions) {
        recording = Recording(limit: options.limit)
    }

    mutating func take(_ item: JSONNode) throws(FormatError) {
        guard let name = item["name"]?.text else { return }
        count += 1
        if !hasInputCategory, let categories = item["cat"]?.text {
            hasInputCategory = categories.split(separator: ",").contains("input")
        }
        let args = item["args"]
        switch name {
        case Self.update:
            guard let offset = args?["scroll_deltas"]?["visual_offset_y"]?.number else { return }
            try recording.append(Trace.Sample(time: try moment(item), offset: offset))
        case Self.input:
            guard let input = try input(args) else { return }
            try recording.append(Trace.Event(time: try moment(item), input))
        case Self.start:
            start = try moment(item)
            recording.viewportHeight = args?["viewport"]?.number.flatMap {
                (1...1e6).contains($0) ? $0 : nil
            }
            recording.hz = args?["hz"]?.number.flatMap { (1...1000).contains($0) ? Int($0) : nil }
        case "ScrollJankV4":
            guard recording.hz == nil,
                let span = args?["scroll_jank_v4"]?["vsync_interval_us"]?.number
            else { return }
            // The units say µs, but files with nanoseconds have been seen.
            let rate = span > 1e6 ? 1e9 / span : 1e6 / span
            if (1...1000).contains(rate) { recording.hz = Int(rate.rounded()) }
        default: break
        }
    }

    private mutating func moment(_ item: JSONNode) throws(FormatError) -> Instant {
        guard let ticks = item["ts"]?.scaled(by: 1000) else {
            throw FormatError(found: "an event without a time", expected: "\"ts\" to be µs")
        }
        let moment = Instant(nanoseconds: ticks)
        try time.take(moment)
        return moment
    }

    private func input(_ args: JSONNode?) throws(FormatError) -> Trace.Input? {
        let y = args?["y"]?.number
        switch (args?["phase"]?.text, y) {
        case ("down", let y?): return .down(y: y)
        case ("move", let y?): return .move(y: y)
        case ("up", let y?): return .up(y: y)
        case ("cancel", let y?): return .cancel(y: y)
        case ("key", _): return .key
        case ("wheel", _):
            guard let dy = args?["dy"]?.number else { fallthrough }
            return .wheel(dy: dy)
        default:
            throw FormatError(
                found: "an input that isn't one", expected: "\"phase\" and \"y\" or \"dy\"")
        }
    }

    mutating func finish(into result: inout Recording) throws(FormatError) -> Instant? {
        guard !recording.samples.isEmpty || !recording.events.isEmpty else {
            throw FormatError(
                found: counted(count, "event") + " and no offset of a scroll",
                expected: hasInputCategory
                    ? "at least one \(Self.update)"
                    : "the category \"input\", which has them: record again with it")
        }
        result = recording
        return start
    }
}

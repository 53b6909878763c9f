import LullTesting
import ReplayText
import ScrollModel

/// A Chrome trace: the offset after each scroll update, one for each frame.
///
/// The events of such a trace are in no particular order. Where it has only the distances of the
/// updates, as that of an older Chrome, they are summed. Touches are only in a trace that this
/// package wrote; wheel turns and key presses also in one with the category
/// `disabled-by-default-devtools.timeline.inputs`, and wheel turns in those of the first Chromes
/// that scrolled in the compositor.
struct ChromeFormat: JSONFormat {
    static let dialect = TraceDialect.chrome
    static let kept = [
        "name", "cat", "ts", "args", "scroll_deltas", "visual_offset_y", "scroll_jank_v4",
        "vsync_interval_us", "traceEvents", "phase", "y", "dy", "viewport", "hz", "metadata",
        "source", "data", "type", "code", "deltaY", "provided_to_compositor_delta_y",
    ]
    static let streams: Set<String> = ["traceEvents"]
    static let mayStayOpen = true

    static let update = "InputHandlerProxy::HandleGestureScrollUpdate_Result"
    /// The names under which Chrome records, or once recorded, how far something scrolls.
    private static let request = "InputHandlerProxy::HandleGestureScrollUpdate"
    private static let wheel = "InputHandlerProxy::handle_input wheel scroll"
    private static let dispatch = "EventDispatch"
    /// The names of events that are about scrolls and don't have their distances.
    private static let others: Set<String> = [
        dispatch, "EventTiming", "EventLatency", "InputLatency::GestureScrollUpdate",
        "InputLatency::MouseWheel", "LatencyInfo.Flow", "ScrollLayer",
        "InputHandlerProxy::HandleGestureFling::started", "InputHandlerProxy::scrollBy",
    ]
    /// The codes of the keys that scroll.
    private static let keys: Set<String> = [
        "ArrowDown", "ArrowUp", "End", "Home", "PageDown", "PageUp", "Space",
    ]
    /// The names of this package's own input events and of the event that marks the start of the
    /// recording.
    static let input = "Lull input"
    static let start = "Lull start"

    private var time = TimestampCheck()
    private let limit: Int
    private var recording: Recording
    private var start: Instant?
    private var count = 0
    private var hasInputCategory = false
    // The distances of scrolls, by the name of their events.
    private var distances: [String: [(time: Instant, pixels: Double)]] = [:]
    private var seen: Set<String> = []
    private var isProfile = false

    init(_ options: TraceFileOptions) {
        limit = options.limit
        recording = Recording(limit: options.limit)
    }

    mutating func take(_ item: JSONNode) throws(FormatError) {
        if item["metadata"]?["source"]?.text == "DevTools" { isProfile = true }
        guard let name = item["name"]?.text else { return }
        count += 1
        // An event with several categories is recorded with any of them.
        if item["cat"]?.text == "input" { hasInputCategory = true }
        let args = item["args"]
        switch name {
        case Self.update:
            let deltas = args?["scroll_deltas"]
            if let offset = deltas?["visual_offset_y"]?.number {
                try recording.append(Trace.Sample(time: try moment(item), offset: offset))
            } else {
                let delta = deltas?["provided_to_compositor_delta_y"]?.number
                try note(delta.map { -$0 }, of: item, as: name)
            }
        case Self.request: try note(args?["dy"]?.number, of: item, as: name)
        case Self.wheel: try note(args?["deltaY"]?.number, of: item, as: name)
        case Self.dispatch:
            seen.insert(name)
            guard let input = dispatched(args?["data"]) else { return }
            try recording.append(Trace.Event(time: try moment(item), input))
        case Self.input:
            let (input, offset) = try input(args)
            try recording.append(Trace.Event(time: try moment(item), input, offset: offset))
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
        default: if Self.others.contains(name) { seen.insert(name) }
        }
    }

    private mutating func note(
        _ distance: Double?, of item: JSONNode, as name: String
    ) throws(FormatError) {
        // The distances aren't needed where the offsets are.
        guard let distance, recording.samples.isEmpty else { return }
        try Recording.check(distance)
        distances[name, default: []].append((try moment(item), distance))
        guard distances[name, default: []].count <= limit else {
            throw FormatError(
                found: "more than \(limit) inputs and offsets", expected: "a shorter recording")
        }
    }

    /// Returns the input that a page's event was, if the trace has what it takes.
    private func dispatched(_ data: JSONNode?) -> Trace.Input? {
        switch data?["type"]?.text {
        case "wheel": data?["deltaY"]?.number.map { .wheel(dy: $0) }
        case "keydown": Self.keys.contains(data?["code"]?.text ?? "") ? .key : nil
        default: nil
        }
    }

    private mutating func moment(_ item: JSONNode) throws(FormatError) -> Instant {
        let moment = try item.time("ts", unit: 1000, meaning: "µs")
        try time.take(moment)
        return moment
    }

    private func input(
        _ args: JSONNode?
    ) throws(FormatError) -> (input: Trace.Input, offset: Double?) {
        let y = args?["y"]?.number
        switch (args?["phase"]?.text, y) {
        case ("down", let y?): return (.down(y: y), nil)
        case ("move", let y?): return (.move(y: y), nil)
        case ("up", let y?): return (.up(y: y), nil)
        case ("cancel", let y?): return (.cancel(y: y), nil)
        case ("key", _): return (.key, y)
        case ("wheel", _):
            guard let dy = args?["dy"]?.number else { fallthrough }
            return (.wheel(dy: dy), y)
        default:
            throw FormatError(
                found: "an input that isn't one", expected: "\"phase\" and \"y\" or \"dy\"")
        }
    }

    mutating func finish(into result: inout Recording) throws(FormatError) -> Instant? {
        if recording.samples.isEmpty { try addDistances() }
        guard !recording.samples.isEmpty || !recording.events.isEmpty else { throw emptiness }
        result = recording
        return start
    }

    /// Adds the sums of the recorded distances, or the turns of a wheel.
    private mutating func addDistances() throws(FormatError) {
        let updates = (distances[Self.update] ?? distances[Self.request] ?? []).inOrder(of: \.time)
        var sums: [Double] = []
        for update in updates { sums.append((sums.last ?? 0) + update.pixels) }
        // The start isn't recorded; the highest place is taken for the top of the list.
        let top = min(0, sums.min() ?? 0)
        for (update, sum) in zip(updates, sums) {
            try recording.append(Trace.Sample(time: update.time, offset: sum - top))
        }
        if !updates.isEmpty {
            recording.notes.append("distances summed, as the offset isn't recorded")
        } else if recording.events.isEmpty {
            for turn in distances[Self.wheel] ?? [] {
                try recording.append(Trace.Event(time: turn.time, .wheel(dy: turn.pixels)))
            }
        }
    }

    /// The error for a trace without scrolls.
    private var emptiness: FormatError {
        let times =
            seen.isEmpty ? "" : ", only events without it: " + seen.sorted().joined(separator: ", ")
        return FormatError(
            found: (isProfile ? "a profile of DevTools' Performance panel: " : "")
                + counted(count, "event") + " and no offset of a scroll" + times,
            expected: hasInputCategory
                ? "at least one \(Self.update), as a current Chrome records for a list that scrolls"
                : "the category \"input\", which has them: record again with it, by Tracing.start of "
                    + "the DevTools protocol, or by chrome --trace-startup=input "
                    + "--trace-startup-format=json --trace-startup-file=FILE")
    }
}

import LullTesting
import ScrollModel

/// Writes a trace as Chrome's tracing with the category `input` does, with inputs as custom events.
enum ChromeText {
    // Chrome's times count from the start of the machine, in ns.
    private static let start: Int64 = 2_288_376_000_000

    static func write(_ trace: Trace, to sink: (String) throws -> Void) rethrows {
        var facts = ""
        if let height = trace.viewportHeight { facts += "\"viewport\":\(plain(height))" }
        if let hz = trace.hz { facts += (facts.isEmpty ? "" : ",") + "\"hz\":\(hz)" }
        try sink(
            """
            {"displayTimeUnit":"ms","traceEvents":[
            {"name":"process_name","ph":"M","pid":1,"tid":1,"ts":0,"args":{"name":"Renderer"}},
            {"name":"thread_name","ph":"M","pid":1,"tid":1,"ts":0,"args":{"name":"Compositor"}},
            {"name":"\(ChromeFormat.start)","cat":"lull","ph":"i","s":"g",\(place(.zero)),"args":{\(facts)}}
            """)
        for sample in trace.samples {
            let deltas = "\"scroll_deltas\":{\"visual_offset_y\":\(plain(sample.offset))}"
            try sink(
                ",\n{\"name\":\"\(ChromeFormat.update)\",\"cat\":\"input,input.scrolling\","
                    + "\"ph\":\"X\",\"dur\":1,\(place(sample.time)),\"args\":{\(deltas)}}")
        }
        for event in trace.events {
            try sink(
                ",\n{\"name\":\"\(ChromeFormat.input)\",\"cat\":\"lull\",\"ph\":\"i\",\"s\":\"t\","
                    + "\(place(event.time)),\"args\":{\(args(event))}}")
        }
        try sink("\n]}\n")
    }

    private static func place(_ time: Instant) -> String {
        "\"pid\":1,\"tid\":1,\"ts\":\(decimal(start + time.nanoseconds, places: 3))"
    }

    private static func args(_ event: Trace.Event) -> String {
        switch event.input {
        case .down(let y): "\"phase\":\"down\",\"y\":\(plain(y))"
        case .move(let y): "\"phase\":\"move\",\"y\":\(plain(y))"
        case .up(let y): "\"phase\":\"up\",\"y\":\(plain(y))"
        case .cancel(let y): "\"phase\":\"cancel\",\"y\":\(plain(y))"
        case .wheel(let dy):
            OwnText.place(event.offset) + "\"phase\":\"wheel\",\"dy\":\(plain(dy))"
        case .key: OwnText.place(event.offset) + "\"phase\":\"key\""
        }
    }
}

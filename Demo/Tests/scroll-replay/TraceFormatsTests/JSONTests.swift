import LullTesting
import Testing
import TraceFormats

/// rrweb's sessions and Chrome's traces.
struct JSONTests {
    private let meta = #"{"type":4,"data":{"href":"x","width":412,"height":915},"timestamp":1000}"#
    private let snapshot = """
        {"type":2,"data":{"node":{"type":0,"childNodes":[{"id":5,"attributes":{"y":[1,{"x":2}]}}],\
        "id":1},"initialOffset":{"left":0,"top":500}},"timestamp":1001}
        """

    private func scroll(_ time: Int, _ y: Double, node: Int = 1) -> String {
        #"{"type":3,"data":{"source":3,"id":\#(node),"x":0,"y":\#(y)},"timestamp":\#(time)}"#
    }

    private func array(_ events: [String]) -> String { "[" + events.joined(separator: ",\n") + "]" }

    @Test func `a session has its viewport, its first offset and a smooth way between offsets`()
        throws
    {
        let scrolls = [scroll(2000, 500), scroll(2100, 600), scroll(2200, 800), scroll(4000, 900)]
        let read = try Recorded(array([meta, snapshot] + scrolls))
        #expect(read.dialect == .rrweb)
        #expect(read.trace.viewportHeight == 915)
        let samples = read.trace.samples
        #expect(samples.first == .init(nanoseconds: 1_000_000, offset: 500))
        #expect(samples.last == .init(nanoseconds: 3_000_000_000, offset: 900))
        #expect(samples.count == 1 + 1 + 5 + 1 + 5 + 1 + 1)
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.offset <= $1.offset })
        // Nothing between the motions: it rested.
        #expect(!samples.contains { (1_200_000_001..<3_000_000_000).contains($0.nanoseconds) })
        #expect(read.statement.contains("4 recorded offsets, smooth between them"))
    }

    @Test func `a line a session, or a batch a line, is read alike`() throws {
        let events = [meta, snapshot, scroll(2000, 1), scroll(2100, 9)]
        let expected = try Recorded(array(events)).trace.samples
        #expect(try Recorded(events.joined(separator: "\n") + "\n").trace.samples == expected)
        let batches = events.map { #"{"window_id":"7","data":[\#($0)]}"# }
        #expect(try Recorded(batches.joined(separator: "\n")).trace.samples == expected)
        #expect(
            try Recorded(#"{"events":\#(array(events)),"version":2}"#).trace.samples == expected)
    }

    @Test func `of nested scrollers that with most events is taken, or the one that is named`()
        throws
    {
        let events = [
            meta, snapshot, scroll(2000, 1), scroll(2000, 7, node: 40), scroll(2100, 8, node: 40),
        ]
        let most = try Recorded(array(events))
        #expect(most.trace.samples.first?.offset == 7)
        #expect(most.statement.contains("node 40 of 2 that scroll"))
        let named = try Recorded(array(events), options: .init(node: 1))
        #expect(named.trace.samples.last?.offset == 1)
        let place = refusal(of: array(events), options: .init(node: 3))
        #expect(place?.found == "no scroll of node 3")
        #expect(place?.expected == "one of 1, 40")
    }

    @Test func `touches come in the order of time, whenever they were sent`() throws {
        func touch(_ type: Int, _ time: Int, _ y: Int) -> String {
            #"{"type":3,"data":{"source":2,"type":\#(type),"id":5,"x":2,"y":\#(y)},"timestamp":\#(time)}"#
        }
        let moves = """
            {"type":3,"data":{"source":6,"positions":[{"x":2,"y":90,"id":5,"timeOffset":-100},\
            {"x":2,"y":80,"id":5,"timeOffset":-50}]},"timestamp":2150}
            """
        let read = try Recorded(
            array([meta, touch(7, 2000, 100), touch(9, 2120, 70), moves, touch(5, 2200, 1)]))
        #expect(
            read.trace.events == [
                .init(nanoseconds: 1_000_000_000, .down(y: 100)),
                .init(nanoseconds: 1_050_000_000, .move(y: 90)),
                .init(nanoseconds: 1_100_000_000, .move(y: 80)),
                .init(nanoseconds: 1_120_000_000, .up(y: 70)),
            ])
    }

    private func update(_ time: Double, _ y: Double) -> String {
        """
        {"name":"InputHandlerProxy::HandleGestureScrollUpdate_Result","cat":"input,input.scrolling",\
        "ph":"X","ts":\(time),"dur":1,"args":{"scroll_deltas":{"visual_offset_y":\(y)}}}
        """
    }

    private let jank = """
        {"name":"ScrollJankV4","cat":"cc,input","ph":"b","ts":1,"args":{"scroll_jank_v4":\
        {"is_janky":false,"vsync_interval_us":8333000}}}
        """

    @Test func `a Chrome trace is in no order, may lack its end, and may be packed`() throws {
        let events = [jank, update(30_000.5, 30), update(10_000, 10), update(20_000, 20)]
        let bare = "[" + events.joined(separator: ",\n")
        for text in [
            bare, bare + "]", bare + ",\n", "{\"displayTimeUnit\":\"ms\",\"traceEvents\":\(bare)]}",
            "{\"metadata\":{\"source\":[1]},\"traceEvents\":\(bare)]}",
        ] {
            let read = try Recorded(bytes: Recorded.packed(Array(text.utf8)))
            #expect(read.dialect == .chrome)
            #expect(
                read.trace.samples == [
                    .init(nanoseconds: 0, offset: 10), .init(nanoseconds: 10_000_000, offset: 20),
                    .init(nanoseconds: 20_000_500, offset: 30),
                ])
            #expect(read.trace.hz == 120)
        }
    }

    @Test func `a Chrome trace without offsets is told which category has them`() throws {
        let paint = #"{"name":"Paint","cat":"devtools.timeline","ph":"X","ts":1,"args":{}}"#
        let place = try #require(refusal(of: "{\"traceEvents\":[\(paint)]}"))
        #expect(place.found == "1 event and no offset of a scroll")
        #expect(place.expected.contains("category \"input\""))
        let still = try #require(refusal(of: "[\(jank)]"))
        #expect(still.expected.contains("category"))
        let input = try #require(refusal(of: array([jank, event("Type", 1, "{}")])))
        #expect(!input.expected.contains("category"))
    }

    private func trace(_ events: [String], metadata: String = "{}") -> String {
        "{\"metadata\": \(metadata),\n\"traceEvents\": \(array(events))}\n"
    }

    private func event(_ name: String, _ time: Int, _ args: String, _ category: String = "input")
        -> String
    {
        #"{"name":"\#(name)","cat":"\#(category)","ph":"X","ts":\#(time),"dur":1,"args":\#(args)}"#
    }

    @Test func `a profile of the Performance panel is told what it lacks, and how to record it`()
        throws
    {
        let events = [
            event("EventDispatch", 1, #"{"data":{"type":"wheel"}}"#, "devtools.timeline"),
            event("EventTiming", 2, #"{"data":{"type":"pointerdown"}}"#, "devtools.timeline"),
            event("UpdateLayer", 3, "{}", "devtools.timeline"),
        ]
        let metadata = #"{\n  "source": "DevTools",\n  "startTime": "2026"\n}"#
            .replacing("\\n", with: "\n")
        let place = try #require(refusal(of: trace(events, metadata: metadata)))
        #expect(
            place.found
                == "a profile of DevTools' Performance panel: 3 events and no offset of a scroll, "
                + "only events without it: EventDispatch, EventTiming")
        #expect(place.byte != nil)
        #expect(place.expected.contains("chrome --trace-startup=input"))
        // With the category that records them, inputs are read.
        let inputs = [
            event("EventDispatch", 1000, #"{"data":{"type":"wheel","deltaX":0,"deltaY":53}}"#),
            event("EventDispatch", 2000, #"{"data":{"type":"keydown","code":"PageDown"}}"#),
            event("EventDispatch", 3000, #"{"data":{"type":"keydown","code":"KeyA"}}"#),
            event("EventDispatch", 4000, #"{"data":{"type":"wheel","deltaX":0,"deltaY":-53}}"#),
        ]
        #expect(
            try Recorded(trace(inputs, metadata: metadata)).trace.events == [
                .init(nanoseconds: 0, .wheel(dy: 53)), .init(nanoseconds: 1_000_000, .key),
                .init(nanoseconds: 3_000_000, .wheel(dy: -53)),
            ])
    }

    @Test func `events that time a scroll, and those of old flings, are named`() throws {
        let latency = ["EventLatency", "InputLatency::GestureScrollUpdate", "LatencyInfo.Flow"].map
        {
            event($0, 1, "{}", "benchmark,latencyInfo")
        }
        let place = try #require(refusal(of: array(latency)))
        #expect(
            place.found == "3 events and no offset of a scroll, only events without it: "
                + "EventLatency, InputLatency::GestureScrollUpdate, LatencyInfo.Flow")
        let fling = [
            event("InputHandlerProxy::HandleGestureFling::started", 1, #"{"vx":0,"vy":-900}"#),
            event("InputHandlerProxy::scrollBy", 2, #"{"x":0,"y":-12}"#),
        ]
        let old = try #require(refusal(of: array(fling)))
        #expect(old.found.hasSuffix("HandleGestureFling::started, InputHandlerProxy::scrollBy"))
        #expect(old.expected.contains("current Chrome"))
    }

    @Test func `distances are summed where there is no offset, the highest place is the top`()
        throws
    {
        let request = "InputHandlerProxy::HandleGestureScrollUpdate"
        let requests = [
            event(request, 20_000, #"{"dx":0,"dy":-30.5}"#),
            event(request, 10_000, #"{"dx":0,"dy":10}"#),
            event(request, 30_000, #"{"dx":0,"dy":5}"#),
        ]
        let samples: [Trace.Sample] = [
            .init(nanoseconds: 0, offset: 30.5), .init(nanoseconds: 10_000_000, offset: 0),
            .init(nanoseconds: 20_000_000, offset: 5),
        ]
        let read = try Recorded(trace(requests))
        #expect(read.trace.samples == samples)
        #expect(
            read.statement
                == "Chrome trace: 3 offsets, 0.02 s (distances summed, as the offset isn't recorded)"
        )
        // The updates' results had distances before they had offsets, and count for more.
        let results = [(10_000, -10.0), (20_000, 30.5), (30_000, -5)].map { time, delta in
            event(
                request + "_Result", time,
                #"{"scroll_deltas":{"provided_to_compositor_delta_y":\#(delta)}}"#)
        }
        #expect(try Recorded(trace(results + requests.prefix(1))).trace.samples == samples)
        // Where there are offsets, they are taken.
        let both = try Recorded(trace(requests + [update(10_000, 700)]))
        #expect(both.trace.samples == [.init(nanoseconds: 0, offset: 700)])
        #expect(
            refusal(of: trace(requests), options: .init(limit: 2))?.found.hasPrefix("more") == true)
    }

    @Test func `an old Chrome's wheel is read`() throws {
        let wheel = "InputHandlerProxy::handle_input wheel scroll"
        let read = try Recorded(
            array([
                event(wheel, 1000, #"{"deltaX":0,"deltaY":53}"#),
                event(wheel, 9000, #"{"deltaX":0,"deltaY":-53}"#, "renderer"),
            ]))
        #expect(
            read.trace.events == [
                .init(nanoseconds: 0, .wheel(dy: 53)),
                .init(nanoseconds: 8_000_000, .wheel(dy: -53)),
            ])
    }

    @Test(arguments: ["-1", "-0.5", "-62135596800000", "-1e300"])
    func `a time before 1970 is named as one, and none as none`(time: String) throws {
        func place(_ time: String) -> Place? {
            refusal(of: array([meta, #"{"type":3,"data":{"source":3},"timestamp":\#(time)}"#]))
        }
        let early = try #require(place(time))
        #expect(early.found.hasPrefix("time -") && early.found.hasSuffix(", before 1970"))
        #expect(early.expected == "\"timestamp\" to be ms since 1970")
        for none in ["null", "\"-1\"", "[]"] {
            #expect(place(none)?.found == "an event without a time")
        }
        #expect(place("1e300")?.found == "time 1e+300")
    }

    @Test func `what is wrong with JSON is said with its byte`() throws {
        let events = array([meta, scroll(2000, 1), scroll(2100, 9)])
        #expect(refusal(of: events.dropLast(40) + "")?.expected == "the rest of the JSON")
        #expect(refusal(of: "[" + meta + ",{]")?.byte == meta.utf8.count + 3)
        let infinite = events.replacing("9.0", with: "1e999")
        #expect(refusal(of: infinite)?.found == "inf px")
        #expect(refusal(of: events.replacing("2100", with: "1e400"))?.byte == events.utf8.count)
        #expect(refusal(of: array([meta, #"{"type":3,"data":{"source":3}}"#])) != nil)
        #expect(refusal(of: array([meta, scroll(200_000_000, 1)])) != nil)
        #expect(refusal(of: "[" + update(1e30, 2) + "]")?.found == "time 1e+30")
        let early = "-9223372036854"
        #expect(
            refusal(of: events.replacing("2100", with: early).replacing("2000", with: early))?
                .found == "time -9223372036854, before 1970")
        let deep = "[" + meta + "," + String(repeating: "[", count: 9000)
        #expect(refusal(of: deep)?.found == "more than 4096 values inside each other")
        let wide = String(repeating: "{\"x\":1},", count: 70_000)
        #expect(
            refusal(of: "[\(meta),{\"type\":3,\"data\":{\"positions\":[\(wide)1]}}]")?.found
                == "an event of more than 65536 values")
    }
}

import LullTesting
import ScrollModel
import Testing
import TraceFormats

/// Recordings that the tools themselves have written.
struct ToolTests {
    /// The number of units of the recorded panel in a px.
    private static let density = 63 * 25.4 / 160

    @Test(arguments: Recorded.panels)
    func `a panel is read to a tenth of a px and a µs`(panel: Recorded.Panel) throws {
        let options = TraceFileOptions(density: panel.hasAxes ? nil : Self.density)
        let truth = try Recorded(bytes: Recorded.bytes(of: "panel.jsonl")).trace
        let read = try Recorded(bytes: panel.bytes, options: options)
        #expect(read.dialect == panel.dialect)
        #expect(
            read.statement
                == "\(panel.dialect.title): 3 strokes, 20 samples, 5 wheel turns, 1 key, 1.17 s")
        #expect(read.trace.events.count == truth.events.count)
        for (before, after) in zip(truth.events, read.trace.events) {
            #expect(before.time == after.time)
            #expect(isSame(before.input, after.input), "\(before) \(after)")
        }
    }

    @Test func `all tools say the same of one panel`() throws {
        let events = try Recorded.panels.map { panel in
            let options = TraceFileOptions(density: panel.hasAxes ? nil : Self.density)
            return try Recorded(bytes: panel.bytes, options: options).trace.events
        }
        #expect(Set(events.map { "\($0)" }).count == 1)
    }

    private func isSame(_ one: Trace.Input, _ other: Trace.Input) -> Bool {
        switch (one, other) {
        case (.down(let a), .down(let b)), (.move(let a), .move(let b)), (.up(let a), .up(let b)),
            (.cancel(let a), .cancel(let b)):
            abs(a - b) <= 0.051
        case (.wheel(let a), .wheel(let b)): a == b
        case (.key, .key): true
        default: false
        }
    }

    @Test func `a session of rrweb and Chrome's trace are of one fling`() throws {
        let session = try Recorded(bytes: Recorded.bytes(of: "session.json"))
        #expect(session.dialect == .rrweb)
        #expect(
            session.statement
                == "rrweb: 1 stroke, 4 samples, 51 offsets, 1.19 s "
                + "(9 recorded offsets, smooth between them)")
        #expect(session.trace.viewportHeight == 800)
        #expect(session.trace.samples.first?.offset == 20_000)
        let chrome = try Recorded(bytes: Recorded.bytes(of: "trace.json.gz"))
        #expect(chrome.dialect == .chrome)
        #expect(chrome.statement == "Chrome trace: 47 offsets, 0.77 s (gzip)")
        #expect(chrome.trace.hz == 60)
        #expect(chrome.trace.samples.last?.offset == session.trace.samples.last?.offset)
    }

    @Test func `ten offsets a second are enough to know where a fling was`() throws {
        let session = try Recorded(bytes: Recorded.bytes(of: "session.json")).trace
        let chrome = try Recorded(bytes: Recorded.bytes(of: "trace.json.gz")).trace
        let list = Viewport(rows: try RowHeights(count: 10_000, height: 80), height: 800)
        let path = OffsetPath(of: session, in: list, scroller: Scroller(.chromium))
        func errors(shift: Int64) -> [Double] {
            chrome.samples.map { abs(path.offset(at: $0.time + .nanoseconds(shift)) - $0.offset) }
                .sorted()
        }
        func median(_ errors: [Double]) -> Double { errors[errors.count / 2] }
        // The two clocks differ by an unknown time: that which fits best.
        let fits = stride(from: 0, to: 600_000_000, by: 1_000_000).map { errors(shift: $0) }
        let best = try #require(fits.min { median($0) < median($1) })
        #expect(median(best) < 2)
        #expect(best[best.count * 9 / 10] < 10)
    }
}

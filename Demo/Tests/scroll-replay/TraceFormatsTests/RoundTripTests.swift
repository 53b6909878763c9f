import LullTesting
import ScrollModel
import Testing
import TraceFormats

/// What is written in a dialect is read back as it was.
struct RoundTripTests {
    @Test(arguments: [TraceDialect.own, .chrome])
    func `everything survives where there are words for everything`(dialect: TraceDialect) throws {
        for name in Recorded.shipped {
            let trace = try Recorded.shipped(name)
            let read = try Recorded(try Recorded.text(of: trace, dialect))
            #expect(read.dialect == dialect)
            #expect(read.trace.events == trace.events)
            #expect(read.trace.samples == trace.samples)
        }
        let facts = Trace(
            name: "", events: [], samples: [.init(time: 5, offset: -2.5)], viewportHeight: 640,
            hz: 90)
        let read = try Recorded(try Recorded.text(of: facts, dialect))
        #expect(read.trace.viewportHeight == 640)
        #expect(read.trace.hz == 90)
    }

    @Test(arguments: [
        TraceDialect.evemu, .libinputRecord, .getevent, .geteventLabelled, .evtest,
    ]) func `input events survive to a tenth of a px and a µs`(dialect: TraceDialect) throws {
        for name in Recorded.shipped {
            let trace = try Recorded.shipped(name)
            // A touchpad moves the list by less than a wheel has units for.
            guard !trace.events.isEmpty, !name.contains("touchpad") else { continue }
            let read = try Recorded(try Recorded.text(of: trace, dialect))
            #expect(read.dialect == (dialect == .geteventLabelled ? .getevent : dialect))
            #expect(read.trace.events.count == trace.events.count, "\(name)")
            for (before, after) in zip(trace.events, read.trace.events) {
                #expect(abs(before.time - after.time) <= 500, "\(name)")
                #expect(isSame(before.input, after.input), "\(name): \(before) \(after)")
            }
            #expect(TraceWriter(dialect)?.omissions(from: trace)?.hasSuffix("offsets") == true)
        }
    }

    @Test func `turns too small for a unit add up`() throws {
        let trace = try Recorded.shipped("chromium-touchpad-inertia.jsonl")
        let read = try Recorded(try Recorded.text(of: trace, .evemu)).trace
        func sum(_ trace: Trace) -> Double {
            trace.events.reduce(0) { sum, event in
                if case .wheel(let dy) = event.input { sum + dy } else { sum }
            }
        }
        #expect(abs(sum(read) - sum(trace)) < 1)
        #expect(read.events.count > trace.events.count - 5)
    }

    private func isSame(_ one: Trace.Input, _ other: Trace.Input) -> Bool {
        switch (one, other) {
        case (.down(let a), .down(let b)), (.move(let a), .move(let b)), (.up(let a), .up(let b)),
            (.cancel(let a), .cancel(let b)):
            abs(a - b) <= 0.051
        case (.wheel(let a), .wheel(let b)): abs(a - b) <= 1
        case (.key, .key): true
        default: false
        }
    }

    @Test func `all dialects of one recording say the same`() throws {
        let trace = try Recorded.shipped("chromium-fling-train-read.jsonl")
        let texts = try [
            TraceDialect.evemu, .libinputRecord, .getevent, .geteventLabelled, .evtest,
        ].map { try Recorded(try Recorded.text(of: trace, $0)).trace.events }
        #expect(Set(texts.map { "\($0)" }).count == 1)
    }

    @Test func `a cancelled touch and one wheel after another survive`() throws {
        let trace = Trace(
            name: "",
            events: [
                .init(time: 0, .down(y: 5)), .init(time: 1000, .cancel(y: 6)),
                .init(time: 2000, .wheel(dy: 40)), .init(time: 3000, .wheel(dy: 40)),
                .init(time: 4000, .wheel(dy: -7)), .init(time: 5000, .key),
            ], samples: [])
        for dialect in [TraceDialect.evemu, .libinputRecord, .getevent, .evtest] {
            let read = try Recorded(try Recorded.text(of: trace, dialect)).trace
            #expect(read.events.count == trace.events.count)
            #expect(zip(read.events, trace.events).allSatisfy { isSame($0.input, $1.input) })
        }
    }

    @Test(arguments: [
        "chromium-fling-down-1600.jsonl", "chromium-fling-down-5000.jsonl",
        "chromium-fling-up-3000.jsonl", "chromium-legacy-fling-down-5000.jsonl",
    ]) func `ten offsets a second are enough to know where a fling was`(name: String) throws {
        let trace = try Recorded.shipped(name)
        let read = try Recorded(try Recorded.text(of: trace, .rrweb)).trace
        #expect(read.samples.last?.offset == trace.samples.last?.offset)
        let list = Viewport(rows: try RowHeights(count: 10_000, height: 80), height: 915)
        let path = OffsetPath(of: read, in: list, scroller: Scroller(.chromium))
        let errors = trace.samples.map { sample in
            // The offsets between are of other frames than those recorded: look at both sides.
            let near = [-8_000_000, 0, 8_000_000].map {
                abs(path.offset(at: max(0, sample.time + $0)) - sample.offset)
            }
            return near.min() ?? 0
        }.sorted()
        #expect(errors[errors.count / 2] < 2)
        #expect(errors[errors.count * 9 / 10] < 10)
        let strokes = trace.events.filter { if case .down = $0.input { true } else { false } }
        #expect(
            read.events.filter { if case .down = $0.input { true } else { false } }.count
                == strokes.count)
    }
}

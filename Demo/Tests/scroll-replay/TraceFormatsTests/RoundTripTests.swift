import LullTesting
import ScrollModel
import Testing
import TraceFormats

/// The reading of what was written in a dialect.
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
            name: "", events: [], samples: [.init(nanoseconds: 5, offset: -2.5)],
            viewportHeight: 640,
            hz: 90)
        let read = try Recorded(try Recorded.text(of: facts, dialect))
        #expect(read.trace.viewportHeight == 640)
        #expect(read.trace.hz == 90)
    }

    @Test(arguments: [TraceDialect.own, .chrome])
    func `wheel turns and keys keep the offset at which they came`(dialect: TraceDialect) throws {
        let lines = """
            {"t":0,"y":1440,"dy":120,"phase":"wheel"}
            {"t":0.1,"dy":-38.5,"phase":"wheel"}
            {"t":0.2,"y":1401.5,"phase":"key"}
            {"t":0.3,"phase":"key"}

            """
        let trace = try Recorded(lines).trace
        #expect(
            trace.events == [
                .init(time: .zero, .wheel(dy: 120), offset: 1440),
                .init(nanoseconds: 100_000_000, .wheel(dy: -38.5)),
                .init(time: Instant(nanoseconds: 200_000_000), .key, offset: 1401.5),
                .init(nanoseconds: 300_000_000, .key),
            ])
        let text = try Recorded.text(of: trace, dialect)
        #expect(try Recorded(text).trace.events == trace.events)
        if dialect == .own { #expect(text == lines) }
    }

    @Test func `what can only be read has no writer`() {
        for dialect in TraceDialect.allCases {
            #expect((TraceWriter(dialect) != nil) == dialect.isWritable)
        }
        #expect(TraceDialect.allCases.filter(\.isWritable) == [.own, .chrome])
    }
}

import LullTesting
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

    @Test func `what can only be read has no writer`() {
        for dialect in TraceDialect.allCases {
            #expect((TraceWriter(dialect) != nil) == dialect.isWritable)
        }
        #expect(TraceDialect.allCases.filter(\.isWritable) == [.own, .chrome])
    }
}

import Laboratory
import LullTesting
import ShippedTraces
import Testing

@testable import ReplayReport

struct ChromeTraceTests {
    @Test(arguments: Shipped.names)
    func `a trace keeps the rules of its format`(name: String) throws {
        var logs = Played.logs(name)
        logs.append(try Played.log(name, "everything", .whole, setting: .latency))
        logs.append(try Played.log(name, "everything", .whole, setting: .heavy) { $0.lanes = 3 })
        let text = Report(logs).chromeTrace
        let trace = try TraceChecker(text)
        #expect(trace.faults.isEmpty, "\(trace.faults.prefix(5))")
        #expect(trace.processes == logs.count)
        #expect(trace.count("C") >= logs.reduce(0) { $0 + $1.frames.count * 2 })
        let work = logs.reduce(0) { $0 + $1.slices.count + $1.frames.count + $1.inputs.count }
        #expect(trace.count("X") == work)
        #expect(trace.count("s") > 0 || logs.allSatisfy { $0.slices.isEmpty })
    }

    @Test func `several traces are processes of their own, and no two loads share an id`() throws {
        let logs = ["chromium-fling-reverse", "chromium-wheel-notches"].flatMap { Played.logs($0) }
        let text = Report(logs).chromeTrace
        let trace = try TraceChecker(text)
        #expect(trace.faults.isEmpty, "\(trace.faults.prefix(5))")
        #expect(trace.processes == 6)
        Attachment.record(text, named: "replay-trace.json")
    }

    @Test func `the checker sees what is wrong`() throws {
        func faults(_ events: String) throws -> [String] {
            try TraceChecker("{\"traceEvents\":[\(events)]}").faults
        }
        #expect(
            try faults(
                #"{"ph":"b","cat":"a","id":"1","name":"n","pid":1,"ts":0}"#
            ).count == 1)
        #expect(
            try faults(
                #"{"ph":"X","name":"n","pid":1,"tid":1,"ts":0,"dur":2},"#
                    + #"{"ph":"X","name":"n","pid":1,"tid":1,"ts":1,"dur":2}"#
            ).count == 1)
        #expect(
            try faults(#"{"ph":"C","name":"n","pid":1,"ts":-1,"args":{"a":"x"}}"#).count == 2)
        #expect(
            try faults(#"{"ph":"s","cat":"a","id":"1","name":"n","pid":1,"tid":1,"ts":0}"#).count
                == 2)
    }
}

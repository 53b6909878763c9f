import LullTesting
import TestSupport
import Testing
import TraceFormats

/// Recordings made while their bytes come.
struct RecorderTests {
    @Test(arguments: Recorded.panels)
    func `lines cut anywhere give what the whole file gives`(panel: Recorded.Panel) throws {
        let bytes = try panel.bytes
        var recorder = TraceRecorder(of: "-", from: .text)
        var random = SplitMix64(seed: 3)
        var rest = bytes[...]
        var events: [Trace.Event] = []
        while !rest.isEmpty {
            let piece = rest.prefix(.random(in: 1...300, using: &random))
            rest = rest.dropFirst(piece.count)
            try recorder.take(Array(piece), into: &events)
        }
        try recorder.finish(into: &events)
        let read = try Recorded(bytes: bytes)
        #expect(events == read.trace.events)
        #expect(recorder.statement == read.statement)
    }

    private func kernel(_ micros: Int64, _ type: UInt16, _ code: UInt16, _ value: Int32) -> [UInt8]
    {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
            (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        return bytes(micros / 1_000_000) + bytes(micros % 1_000_000) + bytes(type) + bytes(code)
            + bytes(value)
    }

    @Test func `the kernel's own events are read by the axis of their device`() throws {
        let bytes =
            kernel(5_000_000, 3, 57, 1) + kernel(5_000_000, 3, 54, 1100)
            + kernel(5_000_000, 0, 0, 0) + kernel(5_008_000, 2, 8, -1) + kernel(5_008_000, 0, 0, 0)
        for size in [1, 7, 24, 1000] {
            var recorder = TraceRecorder(of: "event5", from: .kernel)
            recorder.setAxis(minimum: 100, maximum: 4000, resolution: 100, ofSlots: true)
            var events: [Trace.Event] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                try recorder.take(
                    Array(bytes[start..<min(start + size, bytes.count)]), into: &events)
            }
            try recorder.finish(into: &events)
            #expect(
                events == [
                    .init(nanoseconds: 0, .down(y: 62.992)),
                    .init(nanoseconds: 8_000_000, .wheel(dy: 120)),
                ])
            #expect(recorder.statement == "input device: 1 stroke, 1 sample, 1 wheel turn, 0.01 s")
        }
    }

    @Test func `one finger on a touchpad is recorded only if it is touched directly`() throws {
        let bytes =
            kernel(0, 3, 57, 1) + kernel(0, 3, 54, 9) + kernel(0, 1, 0x145, 1) + kernel(0, 0, 0, 0)
        for (isPointer, isDirect, count) in [
            (true, false, 0), (false, false, 0), (false, true, 1), (true, true, 1),
        ] {
            var recorder = TraceRecorder(of: "event5", from: .kernel)
            recorder.setProperties(isPointer: isPointer, isDirect: isDirect)
            var events: [Trace.Event] = []
            try recorder.take(bytes, into: &events)
            #expect(events.count == count)
        }
    }

    @Test func `what isn't a device's is refused with its byte`() {
        var none: [Trace.Event] = []
        var recorder = TraceRecorder(of: "file", from: .kernel)
        #expect(throws: TraceError.self) {
            try recorder.take(.init(repeating: 0xAA, count: 48), into: &none)
        }
        var short = TraceRecorder(of: "file", from: .kernel)
        #expect(throws: TraceError.self) {
            try short.take([1, 2, 3], into: &none)
            try short.finish(into: &none)
        }
        var text = TraceRecorder(of: "-", from: .text)
        #expect(throws: TraceError.self) {
            try text.take(Array("hello\nthere\n".utf8), into: &none)
            try text.finish(into: &none)
        }
    }

    @Test func `what came before something went wrong is kept`() throws {
        var recorder = TraceRecorder(of: "-", from: .text)
        var events: [Trace.Event] = []
        let text = "E: 1.0 0002 0008 1\nE: 1.0 0000 0000 0\nE: oh no\n"
        #expect { try recorder.take(Array(text.utf8), into: &events) } throws: {
            ($0 as? TraceError)?.line == 3
        }
        #expect(events == [.init(nanoseconds: 0, .wheel(dy: -120))])
    }

    @Test func `a line that never ends is refused`() {
        var none: [Trace.Event] = []
        var recorder = TraceRecorder(of: "-", from: .text)
        #expect(throws: TraceError.self) {
            for _ in 0..<100 { try recorder.take(.init(repeating: 0x41, count: 1000), into: &none) }
        }
    }
}

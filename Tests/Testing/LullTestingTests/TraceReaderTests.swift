import DeferredLoading
import Foundation
import LullTesting
import ScrollModel
import ShippedTraces
import TestSupport
import Testing

struct TraceReaderTests {
    /// Reads a text as a trace, through a file.
    private func read(_ text: String) throws -> Trace {
        try read(Data(text.utf8))
    }

    private func read(_ data: Data) throws -> Trace {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "trace-\(UInt64.random(in: 0 ... .max)).jsonl")
        try data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            return try Trace(contentsOf: file.path)
        } catch {
            throw Reason(kind: error.kind, line: error.line, found: error.found)
        }
    }

    struct Reason: Error, Equatable {
        var kind: TraceError.Kind
        var line: Int?
        var found: String
    }

    private func expect(
        _ text: String, _ line: Int, _ found: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            throws: Reason(kind: .malformed, line: line, found: found),
            sourceLocation: sourceLocation
        ) { try read(text) }
    }

    @Test func `every kind of line is read`() throws {
        let trace = try read(
            """
            {"t":0,"y":60000,"phase":"scroll"}
            {"t":0.0077,"y":760,"phase":"down","dt":0.02}
            {"t":0.0161,"y":755.5,"phase":"move"}\r

            {"t":0.03,"y":700,"phase":"up"}
            {"t":0.04,"y":700,"phase":"cancel"}
            {"t":0.2,"y":1440,"dy":-120,"phase":"wheel"}
            {"t":0.2,"y":60000,"key":"PageDown","phase":"key"}
            {"t":0.3,"target":-5,"phase":"jump"}
            """)
        #expect(trace.samples == [.init(time: .zero, offset: 60_000)])
        #expect(
            trace.events == [
                .init(time: .milliseconds(7.7), .down(y: 760)),
                .init(time: .milliseconds(16.1), .move(y: 755.5)),
                .init(time: .milliseconds(30), .up(y: 700)),
                .init(time: .milliseconds(40), .cancel(y: 700)),
                .init(time: .milliseconds(200), .wheel(dy: -120), offset: 1440),
                .init(time: .milliseconds(200), .key, offset: 60_000),
                .init(time: .milliseconds(300), .jump(target: -5)),
            ])
    }

    @Test func `what isn't a trace is refused with its place`() {
        let good = "{\"t\":1,\"y\":0,\"phase\":\"scroll\"}\n"
        expect("", 1, "nothing")
        expect("\n\n", 1, "nothing")
        expect("hello\n", 1, "\"hello\"")
        expect(good + "[1,2]", 2, "\"[1,2]\"")
        expect(good + "{\"t\":1,\"y\":0", 2, "\"{\"t\":1,\"y\":0\"")
        expect(good + "{\"y\":0,\"phase\":\"scroll\"}", 2, "no \"t\"")
        expect("{\"t\":\"0\",\"y\":0,\"phase\":\"scroll\"}", 1, "\"t\" to be a string")
        expect("{\"t\":true,\"y\":0,\"phase\":\"scroll\"}", 1, "\"t\" to be a Boolean")
        expect("{\"t\":0,\"y\":null,\"phase\":\"scroll\"}", 1, "\"y\" to be null")
        expect("{\"t\":0,\"y\":[],\"phase\":\"scroll\"}", 1, "\"y\" to be an array")
        expect("{\"t\":0,\"y\":0,\"phase\":7}", 1, "\"phase\" to be a number")
        expect("{\"t\":0,\"y\":0,\"phase\":\"fly\"}", 1, "phase \"fly\"")
        expect("{\"t\":0,\"y\":0}", 1, "no \"phase\"")
        expect("{\"t\":0,\"y\":0,\"phase\":\"wheel\"}", 1, "no \"dy\"")
        expect("{\"t\":0,\"y\":0,\"phase\":\"jump\"}", 1, "no \"target\"")
        expect(
            "{\"t\":0,\"target\":\"top\",\"phase\":\"jump\"}", 1, "\"target\" to be a string")
        expect("{\"t\":0,\"target\":null,\"phase\":\"jump\"}", 1, "\"target\" to be null")
        expect("{\"t\":0,\"target\":-1e13,\"phase\":\"jump\"}", 1, "\"target\":-10000000000000.0")
        let notNumber = "{\"t\":0,\"target\":NaN,\"phase\":\"jump\"}"
        expect(notNumber, 1, "\"\(notNumber)\"")
        expect("{\"t\":-1,\"y\":0,\"phase\":\"scroll\"}", 1, "\"t\":-1.0")
        expect("{\"t\":1e300,\"y\":0,\"phase\":\"scroll\"}", 1, "\"t\":1e+300")
        expect("{\"t\":0,\"y\":1e300,\"phase\":\"scroll\"}", 1, "\"y\":1e+300")
        expect(good + "{\"t\":0.5,\"y\":0,\"phase\":\"scroll\"}", 2, "time 0.5 after 1.0")
    }

    @Test func `a line over 64 KiB is refused, one of 64 KiB is not`() throws {
        let frame = "{\"t\":0,\"y\":0,\"phase\":\"scroll\",\"x\":\"\"}"
        let room = 64 * 1024 - frame.utf8.count
        func line(_ count: Int) -> String {
            "{\"t\":0,\"y\":0,\"phase\":\"scroll\",\"x\":\"\(String(repeating: "a", count: count))\"}"
        }
        #expect(try read(line(room) + "\n").samples.count == 1)
        expect(line(room + 1) + "\n", 1, "a line of more than 64 KiB")
        expect(String(repeating: "x", count: 5_000_000), 1, "a line of more than 64 KiB")
    }

    @Test func `a message is one line, whatever the file holds`() {
        do {
            _ = try read("\u{1b}[31m\u{7}\u{2028}\n")
            Issue.record("that isn't a trace")
        } catch {
            let text = "\(error)"
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x2028 })
        }
    }

    @Test(arguments: seeds(0..<40))
    func `broken bytes are an error or a trace, never a trap`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func next(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
        let name = Shipped.names[next(Shipped.names.count)]
        let whole =
            FileManager.default.contents(atPath: "\(Shipped.folder)/\(name).jsonl") ?? Data()
        var bytes = Array(whole.prefix(next(whole.count) + 1))
        for _ in 0..<next(20) { bytes[next(bytes.count)] = UInt8(next(256)) }
        do {
            _ = try read(Data(bytes))
        } catch let error as Reason {
            #expect(error.kind == .malformed)
        }
    }

    @Test func `a file that isn't there, and a folder, can't be opened`() {
        for path in ["/nowhere/at/all", "/"] {
            #expect { try Trace(contentsOf: path) } throws: {
                ($0 as? TraceError)?.kind == .unreadable
            }
        }
    }
}

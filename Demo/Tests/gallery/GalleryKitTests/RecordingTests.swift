import IdleLoop
import LullTesting
import Testing

@testable import GalleryKit

/// Recordings of pages are traces.
struct RecordingTests {
    private func trace(_ entries: [(Double, ScrollReport.Input)]) throws -> Trace {
        var recording = Recording(name: "hand")
        for (milliseconds, kind) in entries {
            recording.add(kind, at: Instant(nanoseconds: Int64(milliseconds * 1e6)), height: 700)
        }
        var lines = recording.file().split(separator: 0x0A).map(Array.init)[...]
        return try Trace(of: "hand.jsonl", name: "hand", limit: .max) { lines.popFirst() }
    }

    @Test func `what a page reports is read back as a trace`() throws {
        let trace = try trace([
            (500, .frame(offset: 40)), (508, .down(y: 600, offset: 40)), (516, .moved(y: 580)),
            (516.5, .frame(offset: 60)), (524, .up(y: 560)), (533, .frame(offset: 90)),
            (600, .down(y: 300, offset: 95)), (610, .cancelled), (700, .key),
        ])
        #expect(
            trace.events.map(\.input) == [
                .down(y: 600), .move(y: 580), .up(y: 560), .down(y: 300), .cancel(y: 300), .key,
            ])
        #expect(trace.events.first?.time == .zero + .milliseconds(8))
        #expect(trace.events.last?.offset == 95)
        #expect(trace.samples.map(\.offset) == [40, 60, 90])
        #expect(trace.viewportHeight == 700)
        #expect(trace.hz == 60)
    }

    @Test func `a wheel's way is seen in the frames after it`() throws {
        let trace = try trace([
            (0, .frame(offset: 100)), (10, .wheel), (20, .frame(offset: 150)),
            (40, .frame(offset: 220)), (400, .frame(offset: 220)), (500, .wheel),
            (520, .frame(offset: 160)),
        ])
        #expect(trace.events.map(\.input) == [.wheel(dy: 120), .wheel(dy: -60)])
        #expect(trace.events.map(\.offset) == [100, 220])
        #expect(trace.samples.map(\.offset) == [100, 150, 220, 220, 160])
    }

    @Test func `a wheel may come first`() throws {
        let trace = try trace([(0, .wheel), (20, .frame(offset: 30))])
        #expect(trace.events.map(\.input) == [.wheel(dy: 30)])
        #expect(trace.events.map(\.offset) == [nil])
        #expect(trace.viewportHeight == 700)
    }

    @Test func `a page whose clock stands still has an end too`() {
        var recording = Recording(name: "still")
        recording.add(.wheel, at: .zero, height: 800)
        var count = 0
        while !recording.isFull, count < 2_000_000 {
            recording.add(.frame(offset: Double(count)), at: .zero, height: 800)
            count += 1
        }
        #expect(recording.isFull)
    }

    @Test func `a recording has an end of its own`() {
        var recording = Recording(name: "long")
        var count = 0
        while !recording.isFull {
            recording.add(
                .frame(offset: Double(count)), at: Instant(nanoseconds: Int64(count) * 16_666_667),
                height: 800)
            count += 1
        }
        #expect(count > 60 * 60 * 5)
        let size = recording.file().count
        #expect(size <= Recording.mostBytes + 200)
    }

    @Test func `of many traces the newest are kept`() {
        var store = TraceStore()
        for number in 0..<TraceStore.limit + 1 {
            var recording = Recording(name: "\(number)")
            recording.add(.key, at: .zero, height: 1)
            store.add(recording)
        }
        #expect(store.bytes(named: "0") == nil)
        #expect(store.bytes(named: "1")?.isEmpty == false)
    }

    @Test func `the recording of a page that is gone without a word has ended, and is kept`() throws
    {
        let bench = try GalleryBench(rows: 30)
        let limit = bench.gallery.limits.recordings
        let pages = (0..<limit).map { TestPage(of: bench, at: "10.0.0.\($0)") }
        var names: [String] = []
        for page in pages {
            let client = try #require(bench.client(at: page.address))
            #expect(bench.gallery.clients.beginRecording(of: client))
            names.append(client.recording?.name ?? "")
            page.show(100)
        }
        let other = TestPage(of: bench, at: "10.0.1.1")
        let client = try #require(bench.client(at: other.address))
        #expect(!bench.gallery.clients.beginRecording(of: client))
        for page in pages { page.vanish() }
        try bench.run(for: ClientRegistry.patience + .seconds(1))
        #expect(bench.gallery.clientCount == 1 && bench.gallery.clients.recordings == 0)
        #expect(names.allSatisfy { bench.gallery.clients.trace(named: $0)?.isEmpty == false })
        #expect(bench.gallery.clients.beginRecording(of: client))
    }

    @Test func `a recording that is full has ended, and leaves its place to another`() throws {
        let bench = try GalleryBench(rows: 30)
        let limit = bench.gallery.limits.recordings
        let pages = (0..<limit).map { TestPage(of: bench, at: "10.0.0.\($0)") }
        for page in pages {
            let client = try #require(bench.client(at: page.address))
            #expect(bench.gallery.clients.beginRecording(of: client))
        }
        let full = try #require(bench.client(at: pages[0].address))
        let name = try #require(full.recording?.name)
        let line = ScrollReport.Input.frame(offset: 1.0 / 3)
        while full.recording?.isFull == false { full.recording?.add(line, at: .zero, height: 800) }
        pages[0].show(100)
        try bench.run(for: .seconds(1))
        #expect(full.recording == nil && full.lastTrace == name)
        #expect(bench.gallery.clients.recordings == limit - 1)
        #expect(bench.gallery.clients.trace(named: name)?.isEmpty == false)
        let other = TestPage(of: bench, at: "10.0.1.1")
        let client = try #require(bench.client(at: other.address))
        #expect(bench.gallery.clients.beginRecording(of: client))
    }
}

import Foundation
import LullTesting
import Synchronization
import Testing
import TraceFormats

/// Files of any size are read in memory that doesn't grow with them.
@Suite(.serialized) struct MemoryTests {
    /// Reads what is written into a pipe of that name; gives what it took at most, in bytes.
    private func growth(_ pieces: [(text: String, times: Int)]) throws -> (Recorded.Read, Int) {
        let path = Recorded.path()
        try #require(unsafe mkfifo(path, 0o600) == 0)
        defer { unsafe unlink(path) }
        let before = resident()
        let most = Mutex(before)
        Thread.detachNewThread {
            let file = unsafe open(path, O_WRONLY)
            for piece in pieces {
                let bytes = Array(piece.text.utf8)
                for time in 0..<piece.times {
                    var rest = bytes[...]
                    while !rest.isEmpty {
                        let count = unsafe rest.withUnsafeBytes {
                            unsafe write(file, $0.baseAddress, $0.count)
                        }
                        guard count > 0 else { break }
                        rest = rest.dropFirst(count)
                    }
                    if time % 16 == 0 { most.withLock { $0 = max($0, resident()) } }
                }
            }
            close(file)
        }
        let file = try TraceFile(path)
        return ((file.trace, file.statement), most.withLock { $0 } - before)
    }

    @Test func `a session with 200 MB of snapshots`() throws {
        let text = String(repeating: "a long text of a page ", count: 50_000)
        let snapshot = #"{"type":2,"data":{"node":{"text":"\#(text)"}},"timestamp":1000},"#
        let scroll = #"{"type":3,"data":{"source":3,"id":1,"x":0,"y":7},"timestamp":2000}]"#
        let (read, growth) = try growth([("[", 1), (snapshot, 180), (scroll, 1)])
        #expect(read.trace.samples == [.init(time: 1_000_000_000, offset: 7)])
        #expect(growth < 64 << 20)
    }

    @Test func `a recording with megabytes of events that don't matter`() throws {
        let start = "E: 0.000001 0002 0008 1\nE: 0.000001 0000 0000 0\n"
        let others = String(
            repeating: "E: 1.000001 0003 0018 0379\t# EV_ABS / ABS_PRESSURE\n", count: 400)
        let (read, growth) = try growth([(start, 1), (others, 200)])
        #expect(read.trace.events == [.init(time: 0, .wheel(dy: -120))])
        #expect(growth < 16 << 20)
    }

    @Test func `a text that never ends is refused before it's all kept`() throws {
        let start = #"[{"type":4,"data":{"height":9},"timestamp":1},{"type":"#
        let path = Recorded.path()
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        defer { unsafe unlink(path) }
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.write(contentsOf: Data((start + "\"").utf8))
        let piece = Data(repeating: 0x61, count: 1 << 20)
        for _ in 0..<48 { try file.write(contentsOf: piece) }
        try file.close()
        #expect { try TraceFile(path) } throws: {
            ($0 as? TraceError)?.found == "a text of more than 16 MiB"
        }
    }
}

extension Recorded {
    typealias Read = (trace: Trace, statement: String)
}

/// How much memory the process has now, in bytes.
private func resident() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let words = text.split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
}

import Foundation
import TestSupport
import Testing

/// Recordings of any size are read in memory that doesn't grow with them.
struct StreamingTests {
    /// Checks what is written into a pipe, with less memory than that is, mappings and all.
    private func check(_ pieces: [(text: String, times: Int)]) throws -> Command {
        let folder = try Folder()
        let path = folder.path + "/recording"
        try #require(unsafe mkfifo(path, 0o600) == 0)
        Thread.detachNewThread {
            let file = unsafe open(path, O_WRONLY)
            for piece in pieces {
                let bytes = Array(piece.text.utf8)
                for _ in 0..<piece.times {
                    var rest = bytes[...]
                    while !rest.isEmpty {
                        let count = unsafe rest.withUnsafeBytes {
                            unsafe write(file, $0.baseAddress, $0.count)
                        }
                        guard count > 0 else { break }
                        rest = rest.dropFirst(count)
                    }
                }
            }
            close(file)
        }
        return try Command("scroll-replay", ["check", path], limits: "ulimit -v 120000")
    }

    @Test func `a session with 200 MB of snapshots`() throws {
        let text = String(repeating: "a long text of a page ", count: 50_000)
        let snapshot = #"{"type":2,"data":{"node":{"text":"\#(text)"}},"timestamp":1000},"#
        let scroll = #"{"type":3,"data":{"source":3,"id":1,"x":0,"y":7},"timestamp":2000}]"#
        let command = try check([("[", 1), (snapshot, 180), (scroll, 1)])
        #expect(command.status == 0, "\(command.errors)")
        #expect(command.output.contains("rrweb"))
    }

    @Test func `a recording with 130 MB of events that don't matter`() throws {
        let start = "E: 0.000001 0002 0008 1\nE: 0.000001 0000 0000 0\n"
        let others = "# " + String(repeating: "x", count: 60_000) + "\n"
        let command = try check([(start, 1), (others, 2200)])
        #expect(command.status == 0, "\(command.errors)")
        #expect(command.output.contains("1 wheel turn"))
    }
}

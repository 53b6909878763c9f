import Foundation
import LullTesting
import Testing
import TraceFormats

/// The limits of what is kept of a file.
struct BoundTests {
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

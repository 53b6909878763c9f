import GalleryTestSupport
import Glibc
import Logging
import Testing

@testable import GalleryLog

/// The log of requests, whose lines other programs parse.
struct RequestLogTests {
    private func text(_ entry: RequestLogEntry) -> String {
        String(
            decoding: entry.text(at: LogTime(seconds: 971_186_136, milliseconds: 0)), as: UTF8.self)
    }

    @Test func `an entry is a line of the combined format`() {
        let entry = RequestLogEntry(
            address: "192.0.2.1", line: Array("GET /a?b=c HTTP/1.1".utf8), status: 200,
            byteCount: 2326,
            referrer: Array("http://example/start".utf8), userAgent: Array("Mozilla/4.08 [en]".utf8)
        )
        #expect(
            text(entry) == """
                192.0.2.1 - - [10/Oct/2000:13:55:36 +0000] "GET /a?b=c HTTP/1.1" 200 2326 \
                "http://example/start" "Mozilla/4.08 [en]"

                """)
        #expect(
            text(RequestLogEntry(address: "unix", line: nil, status: 400))
                == "unix - - [10/Oct/2000:13:55:36 +0000] \"-\" 400 - \"-\" \"-\"\n")
    }

    @Test(arguments: [
        "\" 200 1 \"-\" \"-\"\n1.2.3.4 - - ", "\\", "\u{1b}[2J", "\u{2028}\u{202e}", "ä\\\"",
        String(repeating: "\\", count: 9000), String(repeating: "\"", count: 9000),
        String(repeating: "a", count: 767) + "ä", String(repeating: "a", count: 765) + "\"\"",
        String(repeating: "\u{1}", count: 9000),
    ])
    func `whatever a client sends stays within its quotes, and within a line`(sent: String) throws {
        for bytes in [Array(sent.utf8), Array(sent.utf8) + [0xFF, 0xC3]] {
            let line = text(
                RequestLogEntry(
                    address: "unix", line: bytes, status: 200, byteCount: 1, referrer: bytes,
                    userAgent: bytes))
            #expect(line.utf8.count <= LogLine.limit)
            let whole =
                #/unix - - \[[^\]]*\] "(?:[^"\\]|\\.)*" 200 1 "(?:[^"\\]|\\.)*" "(?:[^"\\]|\\.)*"\n/#
            #expect(line.wholeMatch(of: whole) != nil, "\(line)")
            #expect(
                !line.dropLast().unicodeScalars.contains {
                    $0.properties.generalCategory == .control
                })
        }
    }

    @Test func `a log whose file was renamed goes on in the old one, and a new one in a new one`()
        throws
    {
        let folder = TemporaryFolder()
        let path = folder.file("access.log")
        func lines(_ path: String) -> Int {
            guard let file = unsafe fopen(path, "r") else { return 0 }
            defer { unsafe fclose(file) }
            var (count, byte) = (0, unsafe fgetc(file))
            while byte != EOF {
                if byte == 10 { count += 1 }
                unsafe byte = fgetc(file)
            }
            return count
        }
        let entry = RequestLogEntry(address: "unix", line: nil, status: 400)
        var log = try RequestLog(path)
        #expect(log.write(entry))
        unsafe rename(path, path + ".1")
        #expect(log.write(entry))
        #expect(lines(path + ".1") == 2 && lines(path) == 0)
        log = try RequestLog(path)
        #expect(log.write(entry))
        log = try RequestLog(path)
        #expect(log.write(entry))
        #expect(lines(path + ".1") == 2 && lines(path) == 2)
        #expect(throws: (any Error).self) { try RequestLog(folder.file("no/access.log")) }
    }

    @Test func `a pipe that nobody reads is waited for by nobody, and goes on when it's read`()
        throws
    {
        let folder = TemporaryFolder()
        let path = folder.file("fifo")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        #expect(throws: (any Error).self) { try RequestLog(path) }
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let log = try RequestLog(path)
        let entry = RequestLogEntry(address: "unix", line: nil, status: 400)
        let written = (0..<2000).prefix { _ in log.write(entry) }.count
        #expect(written > 0 && written < 2000)
        #expect(!log.write(entry))
        var room = [UInt8](repeating: 0, count: 100_000)
        #expect(unsafe read(reader, &room, room.count) > 0)
        #expect(log.write(entry))
    }

    @Test func `the level of all loggers can change, but for those that have their own`() throws {
        let end = try LogEnd(.pipe)
        let output = LogOutput(to: end.writer, journalStream: nil) { .now }
        var first = Logger(label: "a") { JournalLogHandler($0, to: output) }
        let second = first
        #expect(first.logLevel == .info)
        first.logLevel = .error
        output.level = .debug
        #expect(first.logLevel == .error && second.logLevel == .debug)
        second.debug("x")
        first.warning("y")
        let told = end.readAll()
        #expect(told.contains("debug a: x") && !told.contains("y"))
    }
}

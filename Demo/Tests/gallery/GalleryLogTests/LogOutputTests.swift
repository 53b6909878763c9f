import class Foundation.Thread
import GalleryTestSupport
import Glibc
import Logging
import TestSupport
import Testing

@testable import GalleryLog

/// What becomes of lines that can't be written.
struct LogOutputTests {
    private static func output(to descriptor: Int32) -> LogOutput {
        LogOutput(to: descriptor, journalStream: nil) { LogTime(seconds: 0, milliseconds: 0) }
    }

    private static let head = "1970-01-01T00:00:00.000Z"

    private func number(_ line: some StringProtocol) -> Int? {
        line.split(separator: "n=").last.flatMap { Int($0) }
    }

    @Test(arguments: LogEnd.Kind.allCases)
    func `who doesn't read a log stops nobody, and is told how much was lost`(
        kind: LogEnd.Kind
    ) throws {
        let end = try LogEnd(kind)
        let output = Self.output(to: end.writer)
        for number in 0..<2000 {
            if kind == .terminal, number == 10 { try end.hold(true) }
            output.write(.info, "web", "line", ["n": "\(number)"])
        }
        let lost = output.lostLines
        #expect(lost > 0)
        let before = end.readAll().split(separator: "\n")
        if kind == .terminal { try end.hold(false) }
        output.write(.info, "web", "line", ["n": "2000"])
        #expect(output.lostLines == lost)
        let after = end.readAll().split(separator: "\n")
        #expect(
            Array(after.suffix(2)) == [
                "\(Self.head) warning web: log lines were lost count=\(lost)",
                "\(Self.head) info web: line n=2000",
            ])
        #expect(before.map { number($0) } == (0..<2000 - lost).map { $0 })
        #expect(kind != .terminal || lost == 1990)
    }

    @Test(arguments: LogEnd.Kind.allCases)
    func `those who share the descriptor find it as it was`(kind: LogEnd.Kind) throws {
        let end = try LogEnd(kind)
        let flags = fcntl(end.writer, F_GETFL)
        let output = Self.output(to: end.writer)
        output.write(.info, "web", "line", [:])
        #expect(fcntl(end.writer, F_GETFL) == flags)
        #expect(flags & O_NONBLOCK == 0)
        #expect(end.readAll() == "\(Self.head) info web: line\n")
    }

    @Test func `what it has opened is closed with it`() throws {
        let end = try LogEnd(.pipe)
        var status = stat()
        try #require(unsafe fstat(end.writer, &status) == 0)
        let name = "pipe:[\(status.st_ino)]"
        var output: LogOutput? = Self.output(to: end.writer)
        #expect(openDescriptors(of: name) == 3)
        output?.write(.info, "web", "line", [:])
        output = nil
        #expect(openDescriptors(of: name) == 2)
    }

    @Test func `a pipe that may not be opened again is asked for room`() throws {
        let end = try LogEnd(.pipe)
        let channel = LogChannel(sharing: end.writer)
        let line = [UInt8](repeating: 120, count: 4096)
        var taken = 0
        while channel.write(line) == 4096 { taken += 1 }
        #expect(taken == 16)
        #expect(channel.write(line) == 0)
        #expect(end.read()?.count == 8192)
        #expect(channel.write(line) == 4096)
    }

    @Test(arguments: [(LogEnd.Kind.pipe, true), (.socket, false)])
    func `lines that nobody can read any more are lost`(
        kind: LogEnd.Kind, ignoresSIGPIPE: Bool
    ) async {
        await #expect(processExitsWith: .success) { [kind, ignoresSIGPIPE] in
            signal(SIGPIPE, ignoresSIGPIPE ? SIG_IGN : SIG_DFL)
            let end = try LogEnd(kind)
            let output = LogOutputTests.output(to: end.writer)
            end.closeReader()
            for _ in 0..<3 { output.write(.info, "web", "line", [:]) }
            #expect(output.lostLines == 3)
        }
    }

    @Test func `after a piece of a line the next is on one of its own`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let (all, head) = (limit.rlim_cur, LogOutputTests.head)
            let line = "\(head) info web: line\n"
            let file = unsafe fileno(tmpfile()!)
            let output = LogOutputTests.output(to: file)
            limit.rlim_cur = rlim_t(line.utf8.count + 7)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            for _ in 0..<4 { output.write(.info, "web", "line", [:]) }
            #expect(output.lostLines == 3)
            limit.rlim_cur = all
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            output.write(.info, "web", "line", [:])
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = unsafe pread(file, &bytes, bytes.count, 0)
            #expect(
                String(decoding: bytes.prefix(count), as: UTF8.self) == line + line.prefix(7)
                    + "\n\(head) warning web: log lines were lost count=3\n" + line)
        }
    }

    @Test func `a full disk and a closed descriptor lose lines`() throws {
        let full = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        for descriptor in [full, -1] {
            let output = Self.output(to: descriptor)
            output.write(.info, "web", "line", [:])
            #expect(output.lostLines == 1)
        }
    }

    @Test func `lines of several threads don't mix`() throws {
        let folder = TemporaryFolder()
        let file = unsafe open(folder.file("log"), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(file) }
        let output = Self.output(to: file)
        let done = try LogEnd(.pipe)
        try #require(fcntl(done.reader, F_SETFL, 0) == 0)
        for thread in 0..<4 {
            Thread.detachNewThread { [writer = done.writer] in
                let text = String(repeating: "\(thread)", count: 300)
                for _ in 0..<200 { output.write(.info, "web", text, [:]) }
                unsafe _ = write(writer, "x", 1)
            }
        }
        var finished = ""
        while finished.count < 4 { finished += try #require(done.read()) }
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        let count = unsafe pread(file, &bytes, bytes.count, 0)
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 800)
        #expect(lines.allSatisfy { Set($0.suffix(300)).count == 1 && $0.count == lines[0].count })
        #expect(output.lostLines == 0)
    }
}

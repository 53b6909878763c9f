import Glibc
import Logging
import Testing

@testable import GalleryLog

/// What a line says, and how.
struct LogLineTests {
    private let end: LogEnd
    private let output: LogOutput
    private let logger: Logger

    init() throws {
        let end = try LogEnd(.datagrams)
        let output = LogOutput(to: end.writer, journalStream: nil) {
            LogTime(seconds: 1_700_000_000, milliseconds: 7)
        }
        (self.end, self.output) = (end, output)
        logger = Self.logger(output)
    }

    private static func logger(
        _ output: LogOutput, _ provider: Logger.MetadataProvider? = nil
    ) -> Logger {
        Logger(label: "web") { JournalLogHandler($0, to: output, metadataProvider: provider) }
    }

    private func metadata(_ metadata: Logger.Metadata) -> String? {
        logger.info("m", metadata: metadata)
        return end.read().map {
            String($0.dropFirst("2023-11-14T22:13:20.007Z info web: m ".count))
        }
    }

    @Test func `people get the time, the level and who says it`() {
        logger.warning("listening", metadata: ["port": "8080", "address": "127.0.0.1"])
        #expect(
            end.read()
                == "2023-11-14T22:13:20.007Z warning web: listening address=127.0.0.1 port=8080\n")
    }

    @Test(arguments: zip(Logger.Level.allCases, [7, 7, 6, 5, 4, 3, 2]))
    func `the journal gets a priority, and keeps the time itself`(
        level: Logger.Level, priority: Int
    ) throws {
        var status = stat()
        try #require(unsafe fstat(end.writer, &status) == 0)
        let stream = "\(status.st_dev):\(status.st_ino)"
        var logger = Self.logger(LogOutput(to: end.writer, journalStream: stream) { .now })
        logger.logLevel = .trace
        logger.log(level: level, "ready")
        #expect(end.read() == "<\(priority)>web: ready\n")
    }

    @Test(arguments: ["", ":", "1:2", "0", "x"])
    func `what isn't the journal's own descriptor isn't the journal`(stream: String) {
        let logger = Self.logger(LogOutput(to: end.writer, journalStream: stream) { .now })
        logger.info("ready")
        #expect(end.read()?.hasPrefix("<") == false)
    }

    @Test func `another one's device doesn't make it the journal's`() throws {
        var status = stat()
        try #require(unsafe fstat(end.writer, &status) == 0)
        let stream = "\(status.st_dev + 1):\(status.st_ino)"
        Self.logger(LogOutput(to: end.writer, journalStream: stream) { .now }).info("ready")
        #expect(end.read()?.hasPrefix("<") == false)
    }

    @Test(arguments: [
        ("two\nlines\r\n", #"two\nlines\r\n"#), ("tab\t, bell\u{7}", #"tab\t, bell\x07"#),
        ("\u{1b}[2Jred", #"\x1b[2Jred"#), ("\0\u{7f}\u{85}", #"\x00\x7f\u{85}"#),
        ("\u{2028}\u{202e}evil\u{200b}", #"\u{2028}\u{202e}evil\u{200b}"#),
        (#"C:\n "quoted""#, #"C:\\n "quoted""#), ("größe 🙂 é", "größe 🙂 é"),
    ])
    func `nothing in a message looks like another line, or moves the cursor`(
        message: String, text: String
    ) {
        logger.info("\(message)")
        #expect(end.read() == "2023-11-14T22:13:20.007Z info web: \(text)\n")
    }

    @Test(arguments: [
        ("plain", "plain"), ("/a-b_c.d:é", "/a-b_c.d:é"), ("", #""""#), ("a b", #""a b""#),
        ("a=b", #""a=b""#), (#"say "so""#, #""say \"so\"""#), ("a\nb", #""a\nb""#),
        (#"a\"#, #""a\\""#), (#"" x=""#, #""\" x=\"""#),
    ])
    func `values have quotes where their end couldn't be told`(value: String, text: String) {
        #expect(metadata(["k": "\(value)", "l": "1"]) == "k=\(text) l=1\n")
    }

    @Test func `names in metadata are one word`() {
        #expect(metadata(["work took": "1", "a=\n\"b": "2"]) == "a___b=2 work_took=1\n")
        let name = String(repeating: "n", count: 100)
        #expect(metadata([name: "1"]) == "\(name.prefix(64))=1\n")
    }

    @Test func `bytes that aren't text can be told`() {
        let bytes = LogBytes([0x61, 0xff, 0x62, 0xc3, 0xa9, 0xe2, 0x82, 0x63, 0xed, 0xa0, 0x80])
        #expect(
            metadata(["f": .stringConvertible(bytes)])
                == #"f="a\xffb\#u{e9}\xe2\x82c\xed\xa0\x80""# + "\n")
        #expect(bytes.description.hasPrefix("a\u{fffd}bé"))
    }

    @Test func `lists are written, and dictionaries in order`() {
        let values: Logger.MetadataValue = ["b": ["1", "2"], "a": .stringConvertible(3)]
        #expect(metadata(["v": values]) == "v=\"[a: 3, b: [1, 2]]\"\n")
    }

    @Test func `what an entry says itself counts most, then what holds at the time`() {
        let provider = Logger.MetadataProvider { ["a": "provider", "b": "provider"] }
        var logger = Self.logger(output, provider)
        for name in ["a", "b", "c"] { logger[metadataKey: name] = "logger" }
        let other = logger
        logger[metadataKey: "c"] = nil
        logger.info("m", metadata: ["a": "entry"])
        #expect(end.read()?.hasSuffix(": m a=entry b=provider\n") == true)
        other.info("m")
        #expect(end.read()?.hasSuffix(": m a=provider b=provider c=logger\n") == true)
    }

    @Test func `an error is said with what it happened to`() {
        struct Trouble: Error {}
        logger.error("failed", error: Trouble())
        #expect(end.read()?.hasSuffix(": failed error=Trouble()\n") == true)
    }

    @Test func `below its level nothing is written`() {
        logger.debug("no")
        #expect(end.read() == nil)
    }

    @Test(arguments: 0..<6)
    func `a long line is cut between characters, and is one write`(offset: Int) throws {
        logger.info(
            "\(String(repeating: "x", count: offset))\(String(repeating: "é🙂", count: 9000))")
        let line = try #require(end.read())
        #expect(line.hasSuffix("…\n"))
        #expect((4090...4096).contains(line.utf8.count))
        #expect(line.dropLast(2).last == "é" || line.dropLast(2).last == "🙂")
        #expect(end.read() == nil)
    }

    @Test func `a line that just has room isn't cut`() throws {
        let head = "2023-11-14T22:13:20.007Z info web: ".count
        for length in 4090...4100 {
            logger.info("\(String(repeating: "x", count: length - head - 1))")
            let line = try #require(end.read())
            #expect(line.hasSuffix(length <= 4096 ? "x\n" : "x…\n"))
            #expect(line.utf8.count == min(length, 4096))
        }
    }
}

import Foundation
import IdleLoop
import ImageLoading
import TestServer
import TestSupport
import Testing

/// The output of `Demo/list` in a terminal, with pictures in files and on a server.
@Suite(.timeLimit(.minutes(20)))
struct TerminalListTests {
    private static let red: [UInt8] = [200, 30, 30, 255]
    private static let green: [UInt8] = [30, 180, 40, 255]
    private static let blue: [UInt8] = [40, 60, 210, 255]

    private static func picture(_ color: [UInt8], width: Int = 28, height: Int = 14) -> [UInt8] {
        png(Array(repeating: Array(repeating: color, count: width), count: height))
    }

    /// A PNG of rows of pixels.
    private static func png(_ rows: [[[UInt8]]]) -> [UInt8] {
        let size = PixelSize(width: rows[0].count, height: rows.count)
        var bytes: [UInt8] = []
        let pixels = Array(rows.joined().joined())
        guard var encoder = try? PNGEncoder(Picture(size: size, pixels: pixels)) else {
            return bytes
        }
        while !encoder.step(into: &bytes) {}
        return bytes
    }

    /// The answers of a server that is slow, fails, and lies about a length.
    private static func answer(_ path: String) -> [TestServer.Step] {
        let bytes = picture(blue)
        let head = { (length: Int) in
            TestServer.text("HTTP/1.1 200 OK", "Content-Length: \(length)", "", "")
        }
        return switch path {
        case "/red": TestServer.reply(picture(red), headers: ["Cache-Control: max-age=3600"])
        case "/slow": [.send(head(bytes.count)), .dribble(bytes)]
        case "/long": [.send(head(bytes.count + 1000) + bytes), .close]
        default: TestServer.reply("", status: "404 Gone")
        }
    }

    /// Shows a list until each of its rows has been seen as it's to be; false if it ended before.
    ///
    /// With a trace, the rows are those seen at its end. It goes on until `isDone`, too.
    private func show(
        _ names: [String], as expected: [String], trace: [String] = [], cache: Folder,
        on loop: MainLoop, until isDone: @escaping () -> Bool = { true }
    ) throws -> Bool {
        let terminal = try RunningProgram(
            "XDG_CACHE_HOME=\(cache.path)", "terminal-list",
            ["\(8 * names.count)"] + trace + names)
        var seen: Set<Int> = []
        let watch = try loop.watch(terminal.descriptor, for: .readable) { _ in
            let isOpen = terminal.readSome()
            let text = String(decoding: terminal.output, as: UTF8.self)
            for screen in text.components(separatedBy: "\u{1B}[H").dropFirst() {
                let lines = screen.components(separatedBy: "\r\n")
                guard lines.count == 8 * names.count else { continue }
                for row in names.indices where lines[8 * row].contains(expected[row]) {
                    seen.insert(row)
                }
            }
            if !isOpen || seen.count == names.count && isDone() { loop.stop() }
        }
        let timer = loop.schedule(after: .zero, every: .milliseconds(10)) {
            if seen.count == names.count, isDone() { loop.stop() }
        }
        defer {
            watch.cancel()
            timer.cancel()
        }
        try loop.run()
        try terminal.send("q")
        return terminal.finish() == 0 && seen.count == names.count
    }

    private func block(_ color: [UInt8]) -> String { "48;2;\(color[0]);\(color[1]);\(color[2])m" }

    @Test func `shows pictures in files and on servers beside each other`() throws {
        let (cache, folder, loop) = (try Folder(), try Folder(), try MainLoop())
        let server = try TestServer(on: loop)
        server.answer = { Self.answer($0.path) }
        let file = try folder.write("a.png", Data(Self.picture(Self.green)))
        let names =
            ["/red", "/gone", "/slow", "/long"].map(server.url) + [file, folder.path + "/none"]
        let lost = "can't be shown"
        let expected = [block(Self.red), lost, block(Self.blue), lost, block(Self.green), lost]
        #expect(try show(names, as: expected, cache: cache, on: loop))
        #expect(Set(server.requests.map(\.path)) == ["/red", "/gone", "/slow", "/long"])
        // What the server said is right for an hour is shown without it.
        server.close()
        let count = server.requests.count
        let name = "HTTP" + server.url("/red").dropFirst(4)
        #expect(try show([name, file], as: [expected[0], expected[4]], cache: cache, on: loop))
        #expect(server.requests.count == count)
    }

    @Test func `two pixels make a character, and below an odd row is the terminal's own ground`()
        throws
    {
        let (folder, loop) = (try Folder(), try MainLoop())
        let pictures = [
            [[Self.red, Self.green], [Self.blue, Self.red]], [[Self.blue, Self.green]],
        ]
        let names = try pictures.enumerated().map { index, rows in
            try folder.write("\(index).png", Data(Self.png(rows)))
        }
        let expected = [
            ["38;2;200;30;30;48;2;40;60;210m", "38;2;30;180;40;48;2;200;30;30m"],
            ["38;2;40;60;210;49m", "38;2;30;180;40;49m"],
        ].map { cells in cells.map { "\u{1B}[\($0)▀" }.joined() + "\u{1B}[0m" }
        #expect(try show(names, as: expected, cache: folder, on: loop))
    }

    @Test func `plays a recorded scroll, and ends where it ended`() throws {
        let (folder, loop) = (try Folder(), try MainLoop())
        let names = try [Self.red, Self.green, Self.blue].enumerated().map { index, color in
            try folder.write("\(index).png", Data(Self.picture(color)))
        }
        // Rows are 8 lines of 24 px: it scrolls 4 rows, which begins with the second picture.
        let trace = try folder.write(
            "trace.jsonl",
            """
            {"t":0,"y":300,"phase":"down"}
            {"t":0.02,"y":0,"phase":"scroll"}
            {"t":0.03,"y":200,"phase":"move"}
            {"t":0.04,"y":192,"phase":"scroll"}
            {"t":0.05,"y":100,"phase":"up"}
            {"t":0.06,"y":768,"phase":"scroll"}
            """)
        let expected = [Self.green, Self.blue, Self.red].map(block)
        #expect(
            try show(
                names, as: expected, trace: ["--trace", trace], cache: folder, on: loop))
    }

    @Test func `shares thumbnails with the desktop`() throws {
        let (cache, folder, loop) = (try Folder(), try Folder(), try MainLoop())
        let picture = Self.picture(Self.green, width: 280, height: 140)
        let file = try folder.write("a.png", Data(picture))
        // A file that was written just now may still be growing, and isn't stored.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: file)
        let thumbnails = cache.path + "/thumbnails/normal"
        func stored() -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: thumbnails)) ?? []
        }
        let isShown = try show([file], as: [block(Self.green)], cache: cache, on: loop) {
            stored().contains { $0.hasSuffix(".png") }
        }
        #expect(isShown)
    }
}

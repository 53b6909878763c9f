import Foundation
import IdleLoop
import TestServer
import TestSupport
import Testing

/// `Demo/list`, in a terminal, with pictures in files and on a server.
@Suite(.timeLimit(.minutes(20)))
struct TerminalListTests {
    private static let red: [UInt8] = [200, 30, 30, 255]
    private static let green: [UInt8] = [30, 180, 40, 255]
    private static let blue: [UInt8] = [40, 60, 210, 255]

    private static func picture(_ color: [UInt8]) -> [UInt8] {
        PlainPNG(width: 28, height: 14) { _, _ in color }.bytes
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
    private func show(
        _ names: [String], as expected: [String], cache: Folder, on loop: MainLoop
    ) throws -> Bool {
        let terminal = try PseudoTerminal(
            columns: 80, lines: UInt16(8 * names.count),
            shell: "stty raw -echo; XDG_CACHE_HOME=\(cache.path) exec", "terminal-list",
            ["\(8 * names.count)"] + names)
        var seen: Set<Int> = []
        let watch = try loop.watch(terminal.master, for: .readable) { _ in
            let isOpen = terminal.readSome()
            let text = String(decoding: terminal.output, as: UTF8.self)
            for screen in text.components(separatedBy: "\u{1B}[H").dropFirst() {
                let lines = screen.components(separatedBy: "\r\n")
                guard lines.count == 8 * names.count else { continue }
                for row in names.indices where lines[8 * row].contains(expected[row]) {
                    seen.insert(row)
                }
            }
            if !isOpen || seen.count == names.count { loop.stop() }
        }
        defer { watch.cancel() }
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
}

import Foundation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct LiveTerminalTests {
    private func live(keys: String = "", _ arguments: [String]) throws -> PseudoTerminal {
        try PseudoTerminal(
            columns: 80, lines: 24, keys: keys, "scroll-replay",
            ["live", Command.trace("fling-down-5000")] + arguments)
    }

    @Test func `at the end the terminal is as it was`() throws {
        let terminal = try live(["--once", "--speed", "64"])
        #expect(terminal.finish() == 0)
        #expect(terminal.isRestored)
        #expect(terminal.isCooked)
    }

    @Test func `keys are taken as they come, and q gives the terminal back`() throws {
        let terminal = try live(["--speed", "0.02"])
        #expect(terminal.read(until: "\u{1B}[?1049h"))
        try terminal.send(" ?")
        #expect(terminal.read(until: "from the start"))
        try terminal.send("?p\u{1B}[Cq")
        #expect(terminal.finish() == 0)
        #expect(terminal.isRestored)
        #expect(terminal.isCooked)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal gives the terminal back, and is the status`(number: Int32) throws {
        let terminal = try live(["--speed", "0.02"])
        #expect(terminal.read(until: "within3/E6"))
        terminal.signal(number)
        #expect(terminal.finish() == 128 + number)
        #expect(terminal.isRestored)
        #expect(terminal.isCooked)
    }

    @Test func `a trace that can't be read leaves the terminal alone`() throws {
        let terminal = try PseudoTerminal(
            columns: 80, lines: 24, "scroll-replay", ["live", "/nowhere.jsonl"])
        #expect(terminal.finish() == 66)
        #expect(!String(decoding: terminal.output, as: UTF8.self).contains("\u{1B}"))
    }
}

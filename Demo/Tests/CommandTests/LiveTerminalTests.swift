import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20)))
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

    private func pictures(_ way: String, _ arguments: [String] = []) throws -> PseudoTerminal {
        let folder = try Folder()
        try folder.write("a.png", Data(PlainPNG.quarters(64, 40).bytes))
        // The shell lets the terminal be known by these variables alone.
        let terminal = try PseudoTerminal(
            columns: 80, lines: 24, shell: "unset TMUX STY NO_COLOR; TERM=xterm-256color exec",
            "scroll-replay",
            [
                "live", Command.trace("fling-down-5000"), "--images", folder.path, "--color",
                "always", "--pictures", way, "--speed", "0.02",
            ] + arguments)
        // Pictures are decoded before the first screen.
        #expect(terminal.read(until: "within3/E6"))
        return terminal
    }

    private let yes = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;c"

    @Test func `a frame is written between the marks of a synchronized update`() throws {
        let terminal = try pictures("blocks")
        try terminal.send("q")
        #expect(terminal.finish() == 0)
        let text = String(decoding: terminal.output, as: UTF8.self)
        let starts = text.components(separatedBy: "\u{1B}[?2026h").count
        #expect(starts > 1)
        #expect(starts == text.components(separatedBy: "\u{1B}[?2026l").count)
        #expect(!text.contains("\u{1B}_G"))
        #expect(terminal.isRestored)
    }

    @Test func `kitty's graphics are asked for, and taken away at the end`() throws {
        let terminal = try pictures("kitty")
        #expect(terminal.read(until: "a=q"))
        #expect(terminal.read(until: "\u{10EEEE}"))
        try terminal.send(yes + "q")
        #expect(terminal.finish() == 0)
        let text = String(decoding: terminal.output, as: UTF8.self)
        let sent = text.components(separatedBy: "\u{1B}_Ga=T").count
        #expect(sent > 1)
        #expect(text.components(separatedBy: "\u{1B}_Ga=d").count == sent)
        #expect(terminal.isRestored)
    }

    @Test func `a terminal that says it has no graphics gets half blocks`() throws {
        let terminal = try pictures("kitty")
        #expect(terminal.read(until: "\u{1B}_Ga=T"))
        try terminal.send("\u{1B}[?62;4c")
        #expect(terminal.read(until: "\u{1B}_Ga=d"))
        try terminal.send("q")
        #expect(terminal.finish() == 0)
        #expect(terminal.isRestored)
    }

    @Test func `auto begins with half blocks, and goes over when the answer comes`() throws {
        let terminal = try pictures("auto")
        #expect(!String(decoding: terminal.output, as: UTF8.self).contains("\u{10EEEE}"))
        try terminal.send(String(yes.prefix(7)))
        try terminal.send(String(yes.dropFirst(7)))
        #expect(terminal.read(until: "\u{10EEEE}"))
        try terminal.send("q")
        #expect(terminal.finish() == 0)
        #expect(terminal.isRestored)
    }

    @Test func `without pictures nobody is asked`() throws {
        let terminal = try pictures("none")
        try terminal.send("q")
        #expect(terminal.finish() == 0)
        #expect(!String(decoding: terminal.output, as: UTF8.self).contains("\u{1B}_G"))
    }

    @Test func `an unknown way to show pictures is a wrong option`() throws {
        let command = try Command(
            "scroll-replay", ["live", Command.trace("fling-down-5000"), "--pictures", "sixel"])
        #expect(command.status == 64)
    }
}

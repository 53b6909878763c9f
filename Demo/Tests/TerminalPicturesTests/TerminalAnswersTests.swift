import TerminalPictures
import TestSupport
import Testing

struct TerminalAnswersTests {
    private let reply = "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62;4;22c"

    private func take(
        _ pieces: [[UInt8]]
    ) -> (answers: [TerminalAnswers.Answer], keys: [UInt8]) {
        var parser = TerminalAnswers()
        var answers: [TerminalAnswers.Answer] = []
        var keys: [UInt8] = []
        for piece in pieces {
            let (more, rest) = parser.take(piece)
            answers += more
            keys += rest
        }
        return (answers, keys + parser.flush())
    }

    @Test func `the query is two questions`() {
        #expect(
            String(decoding: TerminalAnswers.query, as: UTF8.self)
                == "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c")
    }

    @Test func `answers are told from the keys between them, however they are cut`() {
        let bytes = Array(("q" + reply + "\u{1B}[C \u{1B}OD").utf8)
        let keys = Array("q\u{1B}[C \u{1B}OD".utf8)
        for cut in 0...bytes.count {
            let (answers, rest) = take([Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(answers == [.kitty(id: 31, message: "OK"), .attributes([62, 4, 22])])
            #expect(rest == keys)
        }
        let single = take(bytes.map { [$0] })
        #expect(single.answers.count == 2)
        #expect(single.keys == keys)
    }

    @Test(
        arguments: [
            ("\u{1B}_Gi=7,p=2;ENOENT:no such\u{1B}\\", [.kitty(id: 7, message: "ENOENT:no such")]),
            ("\u{1B}[?1c", [.attributes([1])]), ("\u{1B}[?c", [.attributes([])]),
            ("\u{1B}_Gi=99999999999;OK\u{1B}\\", []), ("\u{1B}_GOK\u{1B}\\", []),
            ("\u{1B}_G\u{1B}\\", []), ("\u{1B}_Gp=1;OK\u{1B}\\", []),
            ("\u{1B}_Gi=1;\u{1B}\\", [.kitty(id: 1, message: "")]),
        ] as [(String, [TerminalAnswers.Answer])])
    func `odd answers are taken as far as they go`(
        text: String, answers: [TerminalAnswers.Answer]
    ) {
        let (found, keys) = take([Array(text.utf8)])
        #expect(found == answers)
        #expect(keys.isEmpty)
    }

    @Test(arguments: [
        "\u{1B}", "\u{1B}\u{1B}", "\u{1B}x", "\u{1B}_x", "\u{1B}[", "\u{1B}[1;5C", "\u{1B}[c",
        "\u{1B}[<0;10;20M", "\u{1B}[?25h", "\u{1B}[\u{1B}[A", "plain",
        "\u{1B}[" + String(repeating: "1", count: 500) + "c",
    ])
    func `what is no answer is keys, all of it`(text: String) {
        let (answers, keys) = take([Array(text.utf8)])
        #expect(answers.isEmpty)
        #expect(keys == Array(text.utf8))
    }

    @Test func `an answer without an end is given up, and keys come through again`() {
        var parser = TerminalAnswers()
        let flood = Array("\u{1B}_G".utf8) + [UInt8](repeating: 0x41, count: 100_000)
        let (answers, keys) = parser.take(flood + Array("q".utf8))
        #expect(answers.isEmpty)
        #expect(keys.last == UInt8(ascii: "q"))
        _ = parser.take(Array("\u{1B}_Gi=1".utf8))
        #expect(parser.flush().isEmpty)
        #expect(parser.take(Array("q".utf8)).keys == [UInt8(ascii: "q")])
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `random bytes are taken the same way however they are cut, and little is held`(
        seed: UInt64
    ) {
        var numbers = SplitMix64(seed: seed)
        let likely = Array("\u{1B}\u{1B}\u{1B}[[__GG?;\\ci=31,OK".utf8)
        let bytes = (0..<400).map { _ -> UInt8 in
            Bool.random(using: &numbers)
                ? likely[Int.random(in: 0..<likely.count, using: &numbers)]
                : UInt8.random(in: 0...255, using: &numbers)
        }
        let whole = take([bytes])
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...min(7, rest.count), using: &numbers)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        let cut = take(pieces)
        #expect(cut.answers == whole.answers)
        #expect(cut.keys == whole.keys)
        #expect(whole.keys.count <= bytes.count)
        var parser = TerminalAnswers()
        _ = parser.take(bytes)
        #expect(parser.flush().count <= 64)
        // Without escapes all bytes are keys.
        let plain = bytes.filter { $0 != 0x1B }
        #expect(take([plain]).keys == plain)
    }
}

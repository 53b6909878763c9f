import ReplayTerminal
import Testing

struct LiveKeyTests {
    private func keys(_ text: String) -> [LiveKey] { LiveKey.all(in: Array(text.utf8)) }

    @Test func `keys come one after the other`() {
        #expect(
            keys(" .r+-q?,") == [
                .pause, .forward, .restart, .faster, .slower, .quit, .help, .back,
            ])
        #expect(keys("pPeE") == [.rule(1), .rule(-1), .engine(1), .engine(-1)])
    }

    @Test func `arrows are known in both modes of a terminal`() {
        #expect(keys("\u{1B}[C\u{1B}[D") == [.forward, .back])
        #expect(keys("\u{1B}OC\u{1B}OD") == [.forward, .back])
        #expect(keys("\u{1B}[1;5C") == [.forward])
    }

    @Test func `what means nothing is left out, and nothing of it is taken for a key`() {
        #expect(keys("xyz\u{1B}[A\u{1B}[5~q") == [.quit])
        #expect(keys("\u{1B}") == [])
        #expect(keys("\u{1B}[") == [])
        #expect(keys("\u{1B}[1;5") == [])
        #expect(LiveKey.all(in: [0xFF, 0xC3, 0xA9, 0]) == [])
    }
}

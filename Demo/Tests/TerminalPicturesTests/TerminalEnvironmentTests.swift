import TerminalPictures
import Testing

struct TerminalEnvironmentTests {
    private func colors(_ variables: [String: String], isTerminal: Bool = true) -> BlockColors? {
        TerminalEnvironment(variables, isTerminal: isTerminal).blockColors
    }

    @Test(
        arguments: [
            (["TERM": "xterm-256color"], .indexed),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .full),
            (["TERM": "xterm-256color", "COLORTERM": "24bit"], .full),
            (["TERM": "xterm-direct"], .full), (["TERM": "xterm-kitty"], .full),
            (["TERM": "xterm-ghostty"], .full), (["TERM": "vt220"], .shades),
            (["TERM": "xterm", "NO_COLOR": "1", "COLORTERM": "truecolor"], .shades),
            (["TERM": "xterm", "NO_COLOR": "", "COLORTERM": "truecolor"], .full),
            (["TERM": "xterm", "CLICOLOR": "0"], .shades),
            (["TERM": "xterm", "LANG": "C", "COLORTERM": "truecolor"], .ascii),
            (["TERM": "xterm", "LANG": "de_DE.UTF-8"], .indexed),
            (["TERM": "xterm", "LC_ALL": "C.utf8", "LANG": "C"], .indexed),
            (["TERM": "dumb", "COLORTERM": "truecolor"], nil), (["COLORTERM": "truecolor"], nil),
        ] as [([String: String], BlockColors?)])
    func `the environment says what blocks are coloured with`(
        variables: [String: String], expected: BlockColors?
    ) {
        #expect(colors(variables) == expected)
        #expect(colors(variables, isTerminal: false) == nil)
    }

    @Test func `multiplexers and terminals without placeholders are known`() {
        func facts(_ variables: [String: String]) -> TerminalEnvironment {
            TerminalEnvironment(
                variables.merging(["TERM": "xterm-256color"]) { own, _ in own }, isTerminal: true)
        }
        #expect(facts(["TMUX": "/tmp/socket,1,0"]).isTmux)
        #expect(facts(["TMUX": "/tmp/socket,1,0"]).isMultiplexed)
        #expect(facts(["TERM": "screen-256color"]).isMultiplexed)
        #expect(!facts(["TERM": "screen-256color"]).isTmux)
        #expect(facts(["TERM": "tmux-256color"]).isTmux)
        #expect(!facts([:]).isMultiplexed)
        #expect(facts([:]).mayHavePlaceholders)
        #expect(!facts(["TERM_PROGRAM": "WezTerm"]).mayHavePlaceholders)
        #expect(!facts(["KONSOLE_VERSION": "230800"]).mayHavePlaceholders)
        #expect(!facts(["NO_COLOR": "1"]).mayHavePlaceholders)
    }
}

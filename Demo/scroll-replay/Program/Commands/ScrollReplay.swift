import ArgumentParser
import IdleLoop

/// `scroll-replay`: plays recorded scrolls through the loop and prints what it would have loaded.
@main
struct ScrollReplay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scroll-replay",
        abstract: "Plays recorded scrolls through a real event loop and says what got loaded when.",
        discussion: """
            A trace is one JSON object a line: {"t":SECONDS,"y":PX,"phase":"down|move|up|cancel"} \
            for fingers, "scroll" for where the list was, "wheel" (with "dy"), "key" and "jump" (with \
            "target") for scrolls of the program, also as gzip. convert.py makes traces of recordings \
            of evemu, libinput, getevent, rrweb and Chrome.

            Examples:
              scroll-replay run Demo/traces/chromium-fling-down-5000.jsonl
              scroll-replay compare Demo/traces/*.jsonl --policies all
              scroll-replay compare Demo/traces/*.jsonl --report report.html
              scroll-replay run trace.jsonl --trace-out trace.json
              scroll-replay explain trace.jsonl --row 812 --policy visible

            Names of rules, engines and files are completed by the shell with
              scroll-replay --generate-completion-script bash|zsh|fish

            \(Help.statuses)
            """,
        version: LullBuild.description,
        subcommands: [
            RunCommand.self, CompareCommand.self, ExplainCommand.self, PoliciesCommand.self,
        ])
}

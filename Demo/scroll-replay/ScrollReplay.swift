import ArgumentParser

/// `scroll-replay`: plays recorded scrolls through the loop and prints what would have been loaded.
@main
struct ScrollReplay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scroll-replay",
        abstract: "Plays recorded scrolls through a real event loop and says what got loaded when.",
        discussion: """
            A trace is one JSON object a line: {"t":SECONDS,"y":PX,"phase":"down|move|up|cancel"} \
            for fingers, "scroll" for where the list was, "wheel" (with "dy") and "key". Recordings \
            of evemu, libinput record, getevent -t, evtest, rrweb and Chrome's tracing are read as \
            they are, and told by their content; - is standard input.

            Examples:
              scroll-replay run Demo/traces/chromium-fling-down-5000.jsonl
              scroll-replay run trace.jsonl --images Demo/photos --format json
              scroll-replay run trace.jsonl --policy visible --engine E5 --clock real
              scroll-replay compare Demo/traces/*.jsonl
              scroll-replay check session.json.gz
              scroll-replay convert fling.evemu -o fling.jsonl
              scroll-replay record /dev/input/event5 -o fling.jsonl

            Exit status: 0; 64 for wrong options; 65 for a trace that isn't one; 66 for one that \
            can't be opened; 71 when the system has no descriptor left; 73 or 74 when the output \
            can't be made or written.
            """,
        subcommands: [
            RunCommand.self, CompareCommand.self, PoliciesCommand.self, CheckCommand.self,
            ConvertCommand.self, RecordCommand.self,
        ])
}

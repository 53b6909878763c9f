/// What the commands' help says at length.
enum Help {
    /// What each figure is.
    static let figures = """
        Figures:
          blank       the sum over frames of visible rows not loaded, in row-seconds (row·s): two
                      rows missing for half a second are 1; moving is its part while the list moved
          settle      the time from the list's rest (100 ms or more without motion) until nothing
                      is missing; never counts the rests that were never full
          loads       loads finished; useful those whose row was then seen for 0.1 s
          wasted      the part of all load cost that went into rows not seen for 0.1 s, or into
                      loads that were not finished
          late        frames that ended after the next was due; dropped those not shown for it
          hitch       by how much frames were late, in ms for each second
          input       delay from an event to the start of its handling
          queue       accepted = done + failed + cancelled + dropped
        Percentiles are by nearest rank.
        """

    /// How conditions are written.
    static let conditions = """
        Conditions (--fail-if), for use in continuous integration:
          Comparisons (> >= < <= == !=) joined by 'and', which binds closer, and by 'or' or a
          comma; parentheses group. Each run is looked at by itself. Names are the JSON's, and
          in row·s         blank blank_moving blank_resting
          in ms            settle_p50 settle_p95 settle_max input_p50 input_p99 input_max
          a share          waste, so that waste>0.4 is waste>40%
          ms per s         hitch
          counts           never loads useful wasted failed shown late dropped longest
                           (and unsettled, wakeups with --clock real)
          Times may be asked for in another unit: blank_ms, settle_p95_s, load_cost_ms; and a
          number may have its own: settle_p95>50ms.
        """

    static let statuses = """
        Exit status: 0; 1 if --fail-if is met; 64 for wrong options; 65 for a trace that isn't \
        one; 66 for one that can't be opened; 70 for a mistake in this program; 71 when the \
        system has no descriptor left; 73 for a file that can't be made; 74 when the output \
        can't be written.
        """

    static let run = """
        Examples:
          scroll-replay run Demo/traces/chromium-fling-down-5000.jsonl
          scroll-replay run trace.jsonl --policy visible --engine E0 --setting heavy
          scroll-replay run trace.jsonl --images Demo/photos --format json
          scroll-replay run trace.jsonl --explain 812
          scroll-replay run trace.jsonl --fail-if 'dropped>0 or blank>5'

        \(figures)

        \(conditions)
        """

    static let compare = """
        With up to 4 ways there is a row for each trace and way; with more, one for each way, \
        the least blank first. Last comes the verdict. Replays run in parallel, and print the \
        same as one after the other.

        Examples:
          scroll-replay compare Demo/traces/*.jsonl
          scroll-replay compare Demo/traces/*.jsonl --policies all --engines E0
          scroll-replay compare Demo/traces/*.jsonl --policies visible,within3 --engines all
          scroll-replay compare Demo/traces/*.jsonl --way visible/E5 --way within3/E6 --settings all
          scroll-replay compare trace.jsonl --policies all --fail-if 'late>0' --format json

        \(figures)

        \(conditions)
        """

    static let explain = """
        For each row: when it was in view, when it was loaded and whether that was of use, and \
        a line for each decision, with its time in seconds and the rule's reason:
          wanted      the rule wants it, at this urgency and place (rank)
          raised      it is to come sooner than before; lowered: later
          dropped     no longer wanted, and nothing was done; cancelled: when a part was
          released    no longer named by the rule; it's there
          skipped     on screen and missing, and the rule doesn't want it
          turned_away the queue had no room; it's offered again
          fetched, begun, loaded, failed, invalidated, evicted
        Without rows, every decision is printed in order. With --format json each is an object \
        on a line of its own, with the members time_ns row kind urgency from rank since_ns \
        cost_ns reason, null where there's nothing to say.

        Examples:
          scroll-replay explain trace.jsonl --row 812
          scroll-replay explain trace.jsonl --row 800-820 --policy visible --setting heavy
          scroll-replay explain trace.jsonl --format json | jq 'select(.kind == "cancelled")'
        """

    static let show = """
        Where the list was, as a line of dots, and how fast it went; below it, what came in:
          ▼ finger down   ▲ finger up   × cancelled   w wheel   k key
        At the end of each fling: ○ where it was expected to rest, ● where it did, ◉ both.

        Examples:
          scroll-replay show Demo/traces/chromium-fling-flywheel-4.jsonl
          COLUMNS=200 scroll-replay show trace.jsonl --model android
        """

    static let live = """
        The viewport with its rows filling in, frames, queue and figures, at the pace at which \
        the trace was recorded. Keys:
          space pause or go on    → . a frame on     ← , a frame back    r from the start
          + - faster, slower      p P another rule   e E another engine  ? help    q quit
        On a terminal of at least 60 × 16. Without one, --at and --frames print screens as text.

        Examples:
          scroll-replay live Demo/traces/chromium-fling-train-read.jsonl --images Demo/photos
          scroll-replay live trace.jsonl --policy visible --setting heavy --speed 0.25
          scroll-replay live trace.jsonl --at 0.8 --size 100x30
        """
}

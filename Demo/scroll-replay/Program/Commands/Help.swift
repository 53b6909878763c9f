/// The long texts of the commands' help.
enum Help {
    /// The meanings of figures.
    static let figures = """
        Figures:
          blank    visible rows not loaded, summed over frames, in row-seconds
                   (row·s): two rows missing for half a second are 1;
                   moving is the part of it while the list moved
          settle   from the list's rest (100 ms or more without motion) until
                   nothing is missing; never full: rests where that didn't come
          loads    loads finished; useful: those whose row was seen for 0.1 s
          wasted   the part of all load cost for rows not seen for 0.1 s, and
                   for loads that weren't finished
          late     frames that ended after the next was due; dropped: those
                   that weren't shown because of that
          hitch    by how much frames were late, in ms for each second
          input    the delay from an event to the start of its handling
          queue    accepted = done + failed + cancelled + dropped
        p50, p95 and p99 are percentiles by nearest rank.
        """

    static let statuses = """
        Exit status: 0; 64 for wrong options; 65 for a trace that isn't \
        one; 66 for one that can't be opened; 70 for a mistake in this program; 71 when the \
        system has no descriptor left; 73 for a file that can't be made; 74 when the output \
        can't be written.
        """

    static let run = """
        Examples:
          scroll-replay run Demo/traces/chromium-fling-down-5000.jsonl
          scroll-replay run trace.jsonl --policy visible --setting heavy
          scroll-replay run trace.jsonl --images Demo/photos --format json
          scroll-replay run trace.jsonl --explain 812

        What is odd in the trace is a warning on standard error.

        \(figures)
        """

    static let compare = """
        With up to 4 ways there is a row for each trace and way; with more, one for each way, \
        the least blank first. Last comes the verdict. Replays run in parallel, and print the \
        same as one after the other.

        Examples:
          scroll-replay compare Demo/traces/*.jsonl
          scroll-replay compare *.jsonl --policies all --engines E0
          scroll-replay compare *.jsonl --policies visible,within3 --engines all
          scroll-replay compare *.jsonl --way visible/E5 --way within3/E6
          scroll-replay compare *.jsonl --policies all --settings all

        \(figures)
        """

    static let explain = """
        For each row: when it was in view, when it was loaded and whether that was \
        of use, and a line for each decision, with its time in seconds and the \
        rule's reason:
          wanted       the rule wants it, at this urgency and place (rank)
          raised       it is to come sooner than before; lowered: later
          dropped      no longer wanted, and nothing was done for it
          cancelled    no longer wanted, after a part was done
          kept         no longer wanted, but nearly fetched: its fetch goes on
          released     no longer named by the rule; it's there
          skipped      on screen and missing, and the rule doesn't want it
          turned_away  the queue had no room; it's offered again
          crowded_out  the memory is full of what is more urgent
          fetched, begun, loaded, failed, invalidated, evicted
        Without rows, every decision is printed in order. With --format json each \
        is an object on a line of its own, with the members time_ns row kind \
        urgency from rank since_ns cost_ns reason, null where there's nothing to \
        say.

        Examples:
          scroll-replay explain trace.jsonl --row 812
          scroll-replay explain trace.jsonl --row 800-820 --policy visible
          scroll-replay explain trace.jsonl --format json | grep cancelled
        """
}

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

    /// The syntax of conditions.
    static let conditions = """
        Conditions (--fail-if), for use in continuous integration:
          Comparisons (> >= < <= == !=) joined by 'and', which binds closer,
          and by 'or' or a comma; parentheses group. Each run is looked at by
          itself. Names are those of the JSON, and
            in row·s    blank blank_moving blank_resting
            in ms       settle_p50 settle_p95 settle_max
                        input_p50 input_p99 input_max
            a share     waste, so that waste>0.4 is waste>40%
            in ms/s     hitch
            counts      never loads useful wasted failed shown late dropped
                        longest; with --clock real unsettled wakeups
          A time may be asked for in another unit, as in blank_ms, settle_p95_s
          or load_cost_ms, and a number may have its own: settle_p95>50ms.
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
          scroll-replay run trace.jsonl --policy visible --setting heavy
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
          scroll-replay compare *.jsonl --policies all --engines E0
          scroll-replay compare *.jsonl --policies visible,within3 --engines all
          scroll-replay compare *.jsonl --way visible/E5 --way within3/E6
          scroll-replay compare *.jsonl --policies all --settings all
          scroll-replay compare *.jsonl --format json --fail-if 'late>0'

        \(figures)

        \(conditions)
        """

    static let explain = """
        For each row: when it was in view, when it was loaded and whether that was \
        of use, and a line for each decision, with its time in seconds and the \
        rule's reason:
          wanted       the rule wants it, at this urgency and place (rank)
          raised       it is to come sooner than before; lowered: later
          dropped      no longer wanted, and nothing was done for it
          cancelled    no longer wanted, after a part was done
          kept         no longer wanted, but nearly done: finished after others
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

    static let show = """
        Where the list was, as a line of dots; below it what came in, and how fast \
        the list went. At the end of each fling: ○ where it was expected to rest, \
        ● where it did, ◉ both in one.

        Examples:
          scroll-replay show Demo/traces/chromium-fling-flywheel-4.jsonl
          scroll-replay show trace.jsonl --size 200x50 --model android

        Colours are used on a terminal, unless NO_COLOR is set or CLICOLOR is 0.
        """

    static let live = """
        The viewport with its rows filling in, frames, queue and figures, at the \
        pace at which the trace was recorded. Keys:
          space  pause, or go on           p P  another rule, at once
          → .    a frame on                e E  another engine, from the start
          ← ,    a frame back              r    again from the start
          + -    faster, slower            ?    help        q  quit
        It takes a terminal of at least 60 × 16. Without one, --at and --frames \
        print screens as text, the same each time.

        With --images a row shows what there is of its picture, as half blocks or \
        with --pictures kitty by the graphics of kitty and Ghostty; auto takes them \
        if the terminal says that it has them.

        Examples:
          scroll-replay live trace.jsonl --images Demo/photos
          scroll-replay live trace.jsonl --images Demo/photos --pictures kitty
          scroll-replay live trace.jsonl --policy visible --speed 0.25
          scroll-replay live trace.jsonl --at 0.8 --size 100x30

        Colours are used on a terminal, unless NO_COLOR is set or CLICOLOR is 0.
        """

    static let thumbnail = """
        The file is read and decoded step by step, as it is in the lulls of a loop. \
        One JSON object on one line says what came of it, whatever that is:
          result       ok, fail, limit (it would cost too much) or unsupported
          reason       why there is no picture, or null
          format       jpeg, png, webp or gif; variant: progressive, interlaced,
                       lossless or null
          width height                     as stored
          orientation                      1 to 8, as EXIF counts
          oriented_width oriented_height   once it is upright
          thumbnail_width thumbnail_height
          quadrants    the mean red, green and blue over white of the quarters:
                       upper left, upper right, lower left, lower right
          steps longest_step_ns cpu_ns     what decoding took
          peak_rss_growth_bytes            by how much the process grew
          file         the file, as it was named
        What isn't known is null.

        Examples:
          scroll-replay thumbnail photo.jpg
          scroll-replay thumbnail photo.jpg --size 512 --output small.png
          scroll-replay thumbnail photo.jpg --format text

        Exit status: 0; 64 for wrong options; 65 when the file gives no picture; 66 when it \
        can't be opened or read, is a folder, a pipe or a device, or when the output can't be \
        written.
        """
}

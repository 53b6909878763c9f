/// With what a figure is compared.
struct Reference {
    let contender: String
    let variant: String
    /// The unit, if it's another.
    var unit: String?

    /// The rules; nil where a ratio would say nothing.
    static func of(_ line: Line) -> Reference? {
        switch (line.workload, line.variant, line.unit) {
        case (.m1, _, _) where line.contender == "lull-watched":
            // What it costs to be watched.
            Reference(contender: "lull-plain", variant: line.variant)
        case (.m1, "50 us budget", _):
            // What batching saves, against polling for each job.
            Reference(contender: "epoll", variant: "1 per pass")
        case (.m6, _, _):
            nil
        case (.m2, "10 sources", _):
            // Several sources shall cost no more than one.
            Reference(contender: "epoll", variant: "200 us jobs")
        case (.m4, _, _):
            // epoll has no timers.
            Reference(contender: "heap", variant: "random durations")
        case (.m7, _, "frames"), (.m7, _, "frames_skipped"), (.m7, _, "calls_early"):
            nil
        case (.r5, _, "allocations"):
            nil
        case (.r5, _, _):
            // The work shall not grow with the list.
            Reference(contender: "list", variant: "n=10^3")
        case (.r6, _, "allocations_per_frame"):
            nil
        case (.r6, let variant, _):
            Reference(
                contender: "list", variant: String(variant.prefix { $0 != "=" }) + "=10^3")
        case (.r1, "10^9 equal", _), (.r4, _, "bytes_in_all"):
            nil
        case (.r2, _, _) where line.contender == "list":
            // How the cost grows.
            Reference(contender: "list", variant: "n=10^3")
        case (.r1, _, "offset_ns"):
            // A search, too: an array that changes would have to be summed anew.
            Reference(contender: "array", variant: line.variant, unit: "row_at_ns")
        case (.r1, _, _), (.r2, _, _), (.r3, _, _), (.r4, _, _):
            // The limit for a list that never changes; copying its heights for what is built.
            Reference(contender: "array", variant: line.variant)
        case (.s1, _, _):
            // What a rule costs beside one that only looks at the screen.
            Reference(contender: "lull", variant: "visible")
        case (.s2, _, _):
            nil
        case (.d1, _, _), (.d2, _, _), (.d3, _, _):
            Reference(contender: "turbojpeg", variant: line.variant)
        case (.d4, _, _):
            Reference(contender: "libpng", variant: line.variant)
        case (.d5, "g2", _):
            Reference(contender: "giflib", variant: line.variant)
        case (.d5, _, _):
            Reference(contender: "libwebp", variant: line.variant)
        case (.d8, let variant, _):
            Reference(contender: variant.hasPrefix("h") ? "libheif" : "libavif", variant: variant)
        case (.d6, _, "sliced_ms"):
            Reference(contender: line.contender, variant: line.variant, unit: "whole_ms")
        case (.d6, _, _), (.d7, _, _), (.d9, _, _):
            nil
        default:
            Reference(contender: "epoll", variant: line.variant)
        }
    }
}

/// The name of a figure in a condition, with its member of the JSON and its unit.
package struct FigureName: Equatable, Sendable {
    /// The unit of a figure.
    package enum Unit: Equatable, Sendable {
        case count
        case share
        /// Milliseconds per second.
        case ratio
        /// A time; its unit is the given number of nanoseconds.
        case time(Double)
    }

    /// The name as it was written.
    package let text: String
    /// The name of the figure's member of the JSON.
    package let key: String
    /// The unit in which it is compared and printed.
    package let unit: Unit

    /// Creates the name from its text; nil if there is no such figure.
    package init?(_ text: String) {
        self.text = text
        if let (key, unit) = FigureName.short[text] {
            self.key = key
            self.unit = unit
        } else if FigureName.keys.contains(text) {
            key = text
            unit = FigureName.unit(ofKey: text)
        } else if let (key, unit) = FigureName.timed(text) {
            self.key = key
            self.unit = unit
        } else {
            return nil
        }
    }

    /// Returns a member's value in this name's unit.
    package func value(of member: Double) -> Double {
        if case .time(let scale) = unit { member / scale } else { member }
    }

    /// The text of the unit after a value.
    package var suffix: String {
        switch unit {
        case .count, .share: ""
        case .ratio: " ms/s"
        case .time(1e9): key.hasPrefix("blank") ? " row·s" : " s"
        case .time(1e6): " ms"
        case .time(1e3): " µs"
        case .time: " ns"
        }
    }

    /// The names of the JSON's numeric members.
    package static let keys = [
        "seed", "hz", "blank_ns", "blank_moving_ns", "blank_resting_ns", "rests", "settle_never",
        "settle_p50_ns", "settle_p95_ns", "settle_max_ns", "loads_started", "loads_finished",
        "loads_failed", "loads_useful", "loads_wasted", "load_cost_ns", "wasted_cost_ns",
        "waste_share", "frames_shown", "frames_late", "frames_dropped", "hitch_ns",
        "hitch_ms_per_s", "input_delay_p50_ns", "input_delay_p99_ns", "input_delay_max_ns",
        "queue_longest", "queue_accepted", "queue_done", "queue_failed", "queue_cancelled",
        "queue_dropped", "quiet_wakeups", "unsettled_at_end",
    ]

    /// The short names, which are those in the tables.
    package static let short: [String: (key: String, unit: Unit)] = [
        "blank": ("blank_ns", .time(1e9)), "blank_moving": ("blank_moving_ns", .time(1e9)),
        "blank_resting": ("blank_resting_ns", .time(1e9)), "never": ("settle_never", .count),
        "settle_p50": ("settle_p50_ns", .time(1e6)), "settle_p95": ("settle_p95_ns", .time(1e6)),
        "settle_max": ("settle_max_ns", .time(1e6)), "loads": ("loads_finished", .count),
        "failed": ("loads_failed", .count), "useful": ("loads_useful", .count),
        "wasted": ("loads_wasted", .count), "waste": ("waste_share", .share),
        "shown": ("frames_shown", .count), "late": ("frames_late", .count),
        "dropped": ("frames_dropped", .count), "hitch": ("hitch_ms_per_s", .ratio),
        "input_p50": ("input_delay_p50_ns", .time(1e6)),
        "input_p99": ("input_delay_p99_ns", .time(1e6)),
        "input_max": ("input_delay_max_ns", .time(1e6)), "longest": ("queue_longest", .count),
        "unsettled": ("unsettled_at_end", .count), "wakeups": ("quiet_wakeups", .count),
    ]

    private static let scales: [(suffix: String, scale: Double)] = [
        ("_ns", 1), ("_us", 1e3), ("_ms", 1e6), ("_s", 1e9),
    ]

    private static func unit(ofKey key: String) -> Unit {
        if key == "waste_share" { return .share }
        if key == "hitch_ms_per_s" { return .ratio }
        return key.hasSuffix("_ns") ? .time(1) : .count
    }

    /// Resolves a time's name with another unit: `settle_p95_ms` is `settle_p95_ns` in
    /// milliseconds.
    private static func timed(_ text: String) -> (key: String, unit: Unit)? {
        for (suffix, scale) in scales where text.hasSuffix(suffix) {
            let base = String(text.dropLast(suffix.count))
            if keys.contains(base + "_ns") { return (base + "_ns", .time(scale)) }
            if let (key, _) = short[base], key.hasSuffix("_ns") { return (key, .time(scale)) }
        }
        return nil
    }
}

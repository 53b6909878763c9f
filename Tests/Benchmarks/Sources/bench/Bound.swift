/// What is asked of a figure, alone or beside another.
struct Bound {
    let workload: Workload
    /// Where it is asked; everywhere if nil.
    var variants: [String]?
    /// Where it is not.
    var exceptions: [String] = []
    var contender = "lull"
    var unit = "cpu_ms"
    let limit: Double
    /// Of what the limit is a multiple, if it is one: a contender's figure in a unit.
    var reference: (contender: String, unit: String)?

    /// All that are asked.
    static let all = own + guests

    private static let own: [Bound] = [
        Bound(
            workload: .m1, contender: "lull-watched", unit: "ns_per_job", limit: 1.02,
            reference: ("lull-plain", "ns_per_job")),
        // Through the C header, beside Swift.
        Bound(
            workload: .m1, contender: "lull-c-adopt", unit: "ns_per_job", limit: 1.1,
            reference: ("lull-adopt", "ns_per_job")),
        times(1.05, of: "huffman", .d1, variants: ["j12_base", "j12_rst", "j12_444q95"]),
        times(0.60, of: "turbojpeg", .d1, variants: ["j12_base", "j12_rst"]),
        Bound(workload: .d1, variants: ["j12_base"], unit: "peak_kib", limit: 2048),
        times(0.10, of: "turbojpeg", .d2, contender: "lull-first"),
        times(0.02, of: "turbojpeg", .d3),
        times(1.05, of: "libpng", .d4),
        times(1.05, of: "libpng-rgba", .d4),
        times(1.05, of: "libwebp", .d5),
        times(1.05, of: "libwebp-full", .d5),
        times(1.05, of: "giflib", .d5),
        Bound(workload: .d6, unit: "sliced_ms", limit: 1.05, reference: ("lull", "whole_ms")),
        // These go to a worker.
        Bound(
            workload: .d6, exceptions: ["j12_prog", "w2_lossless"], unit: "worst_slice_ms",
            limit: 2.5),
        Bound(workload: .d7, contender: "slices", unit: "latest_ms", limit: 2.5),
        Bound(workload: .d7, contender: "helper", unit: "latest_ms", limit: 2.5),
        times(1.05, of: "libheif", .d8),
        times(1.05, of: "libavif", .d8),
        Bound(workload: .d9, unit: "over_ms", limit: 0.2),
    ]

    /// Beside its host's own idle mechanism, a guest makes a hundredth of its frames late, in nine
    /// tenths of the time for work at least, and has no wake-up when there is nothing to do.
    private static let guests = [
        ("lull-glib", "glib"), ("lull-sd-event", "sd-event"), ("lull-uv", "libuv"),
        ("lull-fd", "epoll"), ("lull-adopt", "libevent-zt"), ("lull-nio", "nio-schedule"),
    ].flatMap { guest, host in
        [
            Bound(
                workload: .m2, contender: guest, unit: "p99_us", limit: 1.1,
                reference: (host, "p99_us")),
            Bound(workload: .m6, contender: guest, unit: "wakeups", limit: 0),
            Bound(
                workload: .m7, contender: guest, unit: "frames_late", limit: 0.01,
                reference: (host, "frames_late")),
            Bound(
                workload: .m7, contender: host, unit: "idle_share", limit: 1 / 0.9,
                reference: (guest, "idle_share")),
        ]
    }

    private static func times(
        _ limit: Double, of other: String, _ workload: Workload, contender: String = "lull",
        variants: [String]? = nil
    ) -> Bound {
        Bound(
            workload: workload, variants: variants, contender: contender, limit: limit,
            reference: (other, "cpu_ms"))
    }

    /// What is asked and what was found, in a line for each figure it was asked of.
    func findings(in rows: [Row]) -> [String] {
        let asked =
            if let reference {
                "\(contender) \(unit) ≤ \(limit) × \(reference.contender) \(reference.unit)"
            } else {
                "\(contender) \(unit) ≤ \(limit)"
            }
        return rows.compactMap { row in
            let line = row.line
            guard line.workload == workload, line.contender == contender, line.unit == unit,
                variants?.contains(line.variant) ?? true, !exceptions.contains(line.variant),
                let found = found(line.value, line.variant, rows)
            else { return nil }
            let verdict = found <= limit ? "kept" : "MISSED"
            return "asked: \(line.variant): \(asked): \(Table.number(found)) \(verdict)"
        }
    }

    private func found(_ value: Double, _ variant: String, _ rows: [Row]) -> Double? {
        guard let reference else { return value }
        let other = rows.first {
            $0.line.workload == workload && $0.line.variant == variant
                && $0.line.contender == reference.contender && $0.line.unit == reference.unit
        }
        guard let other, other.line.value > 0 else { return nil }
        return value / other.line.value
    }
}

/// All figures of all rounds, and what comes of them.
struct Results {
    /// What tells figures apart that are not of different rounds only.
    private struct Key: Hashable {
        let workload: Workload
        let contender: String
        let variant: String
        let unit: String
    }

    private var keys: [Key] = []
    private var values: [Key: [Double]] = [:]

    mutating func add(_ line: Line) {
        let key = Key(
            workload: line.workload, contender: line.contender, variant: line.variant,
            unit: line.unit)
        if values[key] == nil { keys.append(key) }
        values[key, default: []].append(line.value)
    }

    /// The medians over the rounds, in the order in which the figures first came.
    var rows: [Row] {
        keys.map { key in
            let line = Line(key.workload, key.contender, key.variant, key.unit, median(of: key)!)
            return Row(line: line, ratio: ratio(of: line))
        }
    }

    private func median(of key: Key) -> Double? {
        guard let sorted = values[key]?.sorted() else { return nil }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    private func ratio(of line: Line) -> Double? {
        guard let reference = Reference.of(line) else { return nil }
        let key = Key(
            workload: line.workload, contender: reference.contender, variant: reference.variant,
            unit: reference.unit ?? line.unit)
        guard let value = median(of: key), value > 0 else { return nil }
        return line.value / value
    }
}

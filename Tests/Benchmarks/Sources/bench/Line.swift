/// A figure, as a contender's program prints it.
struct Line {
    let workload: Workload
    let contender: String
    let variant: String
    let unit: String
    let value: Double

    init(
        _ workload: Workload, _ contender: String, _ variant: String, _ unit: String,
        _ value: Double
    ) {
        self.workload = workload
        self.contender = contender
        self.variant = variant
        self.unit = unit
        self.value = value
    }

    /// Reads five columns separated by tabs; nil if that isn't what they are.
    init?(_ text: Substring) {
        let columns = text.split(separator: "\t", omittingEmptySubsequences: false)
        guard columns.count == 5, columns.allSatisfy({ !$0.isEmpty }),
            let workload = Workload(rawValue: String(columns[0])),
            let value = Double(columns[4]), value.isFinite
        else { return nil }
        self.init(
            workload, String(columns[1]), String(columns[2]), String(columns[3]), value)
    }
}

/// The kind of a family's series, which decides its name and format.
enum MetricKind {
    /// Sums that only grow.
    case counter
    /// Values as they stand.
    case gauge
    /// A histogram of durations.
    case times
    /// A histogram of values.
    case sizes

    /// The kind's name in the text.
    var text: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .times, .sizes: "histogram"
        }
    }

    /// Returns the name of the family of the metrics of this label.
    func family(of label: String) -> String {
        let name = LegalName.ofMetric(label)
        return name.hasSuffix(suffix) ? name : name + suffix
    }

    /// All names that lines of a family bear, which no other family may have.
    func names(of family: String) -> [String] {
        switch self {
        case .counter, .gauge: [family]
        case .times, .sizes:
            [family, "\(family)_bucket", "\(family)_sum", "\(family)_count"]
        }
    }

    private var suffix: String {
        switch self {
        case .counter: "_total"
        case .times: "_seconds"
        case .gauge, .sizes: ""
        }
    }
}

/// The kind of a family's series, which determines its name and format.
enum MetricKind {
    /// Sums that only increase.
    case counter
    /// Values that can be set.
    case gauge
    /// A histogram of durations.
    case times
    /// A histogram of values.
    case sizes

    /// The kind's name in the text format.
    var text: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .times, .sizes: "histogram"
        }
    }

    /// Returns the name of the family for metrics with this label.
    func family(of label: String) -> String {
        let name = LegalName.ofMetric(label)
        return name.hasSuffix(suffix) ? name : name + suffix
    }

    /// Returns all names in the lines of a family, which no other family may have.
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

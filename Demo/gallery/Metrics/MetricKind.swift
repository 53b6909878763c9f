/// What the series of a family are, which decides its name and how it's told.
enum MetricKind {
    /// Sums that only grow.
    case counter
    /// Values as they stand.
    case gauge
    /// How often what took up to how long.
    case times
    /// How often what was up to how much.
    case sizes

    /// The kind's name in the text.
    var text: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .times, .sizes: "histogram"
        }
    }

    /// The name of the family of the metrics of this label.
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

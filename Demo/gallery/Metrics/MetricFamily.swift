/// The series of one name.
struct MetricFamily: Sendable {
    let name: String
    let kind: MetricKind
    let help: String?
    var series: [SeriesLabels: any MetricSeries] = [:]

    /// Writes what it is, and all its series in the order of their labels.
    func write(to text: inout ExpositionText) {
        text.begin(name, kind, help: help)
        for (labels, series) in series.sorted(by: { $0.key.text < $1.key.text }) {
            series.write(of: name, labels, to: &text)
        }
    }
}

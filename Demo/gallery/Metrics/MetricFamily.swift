/// The series with the same name.
struct MetricFamily: Sendable {
    let name: String
    let kind: MetricKind
    let help: String?
    var series: [SeriesLabels: any MetricSeries] = [:]

    /// Writes the family's header, and its series sorted by their labels.
    func write(to text: inout ExpositionText) {
        text.begin(name, kind, help: help)
        for (labels, series) in series.sorted(by: { $0.key.text < $1.key.text }) {
            series.write(of: name, labels, to: &text)
        }
    }
}

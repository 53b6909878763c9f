/// A series: what is counted under one name and set of labels, by any thread.
protocol MetricSeries: AnyObject, Sendable {
    /// Writes its lines.
    func write(of family: String, _ labels: SeriesLabels, to text: inout ExpositionText)
}

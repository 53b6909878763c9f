/// A series: the values of one name and set of labels, which any thread may record.
protocol MetricSeries: AnyObject, Sendable {
    /// Writes the lines of the series.
    func write(of family: String, _ labels: SeriesLabels, to text: inout ExpositionText)
}

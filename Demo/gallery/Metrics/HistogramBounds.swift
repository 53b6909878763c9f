/// The upper bounds of a histogram's buckets, as numbers and as text.
struct HistogramBounds {
    let values: [Double]
    let labels: [String]

    init(_ values: [Double]) {
        precondition(
            values.allSatisfy(\.isFinite) && zip(values, values.dropFirst()).allSatisfy(<),
            "the bounds of a histogram's buckets ascend, and none is endless")
        self.values = values
        labels = values.map(ExpositionText.number) + ["+Inf"]
    }

    /// Returns the first bucket whose bound isn't below a value; for a value above all bounds, the
    /// one after the last.
    func bucket(for value: Double) -> Int {
        values.firstIndex { value <= $0 } ?? values.count
    }
}

/// The upper bounds of a histogram's buckets, as numbers and as they're written.
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

    /// Returns the first bucket that has room for a value: the one after the last for what is above all.
    func bucket(for value: Double) -> Int {
        values.firstIndex { value <= $0 } ?? values.count
    }
}

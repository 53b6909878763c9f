extension Exposition.Family {
    /// Whether a line belongs to this family.
    func owns(_ sample: Exposition.Sample) -> Bool {
        guard kind == "histogram" else { return sample.name == name }
        return ["_bucket", "_sum", "_count"].contains { sample.name == name + $0 }
    }

    /// Throws if its lines don't make sense together.
    func check() throws(ExpositionError) {
        guard !samples.isEmpty else { throw .family(name, .noSamples) }
        switch kind {
        case "counter":
            guard name.hasSuffix("_total") else { throw .family(name, .counterName) }
            guard samples.allSatisfy({ $0.value >= 0 }) else { throw .family(name, .counterFalls) }
        case "histogram":
            var rest = samples[...]
            while let first = rest.first {
                let labels = first.labels.filter { $0.key != "le" }
                let series = rest.prefix { $0.labels.filter { $0.key != "le" } == labels }
                rest = rest.dropFirst(series.count)
                try check(histogram: Array(series))
            }
        default: break
        }
    }

    /// Throws if the lines of one series aren't ascending buckets up to `+Inf`, a sum and a count.
    private func check(histogram series: [Exposition.Sample]) throws(ExpositionError) {
        let buckets = series.filter { $0.name == "\(name)_bucket" }
        let bounds = buckets.map { $0.labels["le"].flatMap(Double.init) ?? .nan }
        guard zip(bounds, bounds.dropFirst()).allSatisfy(<) else {
            throw .family(name, .bucketsOutOfOrder)
        }
        guard buckets.last?.labels["le"] == "+Inf" else { throw .family(name, .noLastBucket) }
        let counts = buckets.map(\.value)
        guard counts.allSatisfy({ $0 >= 0 }), zip(counts, counts.dropFirst()).allSatisfy(<=) else {
            throw .family(name, .bucketsFall)
        }
        guard series.suffix(2).map(\.name) == ["\(name)_sum", "\(name)_count"],
            series.count == buckets.count + 2,
            series.suffix(2).allSatisfy({ $0.labels["le"] == nil })
        else { throw .family(name, .missingSumOrCount) }
        guard series.last?.value == counts.last else { throw .family(name, .countDiffers) }
    }
}

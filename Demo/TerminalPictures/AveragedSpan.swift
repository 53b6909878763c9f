/// The source pixels under one target pixel, along one side.
///
/// Lengths are scaled so that all are integers: a source pixel's length is the number of targets,
/// and a target pixel's is the number of sources.
struct AveragedSpan {
    private let start: Int
    private let end: Int
    private let unit: Int

    /// The source pixels that the span covers at least partly.
    var places: Range<Int> { start / unit..<(end + unit - 1) / unit }

    /// Returns the length of the part of a source pixel that the span covers.
    func weight(of place: Int) -> Int {
        min(end, (place &+ 1) &* unit) &- max(start, place &* unit)
    }

    /// Returns all spans of a side.
    static func cutting(_ sources: Int, into targets: Int) -> [AveragedSpan] {
        (0..<targets).map {
            AveragedSpan(start: $0 * sources, end: ($0 + 1) * sources, unit: targets)
        }
    }
}

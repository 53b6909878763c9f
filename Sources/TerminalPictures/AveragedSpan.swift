/// The source pixels under one target pixel, along one side.
///
/// Lengths are counted so that all are whole: a source pixel is as long as there are targets, and
/// a target pixel as there are sources.
struct AveragedSpan {
    private let start: Int
    private let end: Int
    private let unit: Int

    /// The source pixels of which a part lies under it.
    var places: Range<Int> { start / unit..<(end + unit - 1) / unit }

    /// How much of a source pixel lies under it.
    func weight(of place: Int) -> Int {
        min(end, (place &+ 1) &* unit) &- max(start, place &* unit)
    }

    /// All spans of a side.
    static func cutting(_ sources: Int, into targets: Int) -> [AveragedSpan] {
        (0..<targets).map {
            AveragedSpan(start: $0 * sources, end: ($0 + 1) * sources, unit: targets)
        }
    }
}

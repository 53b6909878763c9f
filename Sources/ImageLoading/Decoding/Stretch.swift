/// The source pixels under one target pixel of a row.
///
/// Lengths are counted so that all are whole: a source pixel is as long as there are target
/// pixels in the row, a target pixel as there are source pixels.
struct Stretch {
    let first: Int
    let last: Int
    /// The length of a source pixel.
    let unit: Double
    /// What of the first source pixel lies before the target pixel.
    let before: Double
    /// What of the last source pixel lies after the target pixel.
    let after: Double

    /// What the stretch gets, of the rise around its first pixel, when that is cut.
    ///
    /// Where colours rise evenly, the part of a pixel after a cut has more than its share, by half
    /// the product of both parts times the rise from one pixel to the next. The part before the
    /// cut has as much less. The rise is half of that from the pixel before to the one after.
    let headSlope: Double
    /// What the stretch loses, of the rise around its last pixel, when that is cut.
    let tailSlope: Double

    /// All stretches of a row.
    static func cutting(_ sources: Int, into targets: Int) -> [Stretch] {
        (0..<targets).map { index in
            let start = index * sources
            let end = start + sources
            let first = start / targets
            let last = (end - 1) / targets
            let before = start - first * targets
            let after = (last + 1) * targets - end
            return Stretch(
                first: first, last: last, unit: Double(targets), before: Double(before),
                after: Double(after),
                headSlope: slope(before, of: targets), tailSlope: slope(after, of: targets))
        }
    }

    private static func slope(_ part: Int, of unit: Int) -> Double {
        Double(part * (unit - part)) / Double(4 * unit)
    }
}

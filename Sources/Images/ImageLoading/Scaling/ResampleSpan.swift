/// The source pixels under one target pixel of a row.
///
/// Lengths have units that make them integers: the length of a source pixel is the number of target
/// pixels in the row, and that of a target pixel is the number of source pixels.
struct ResampleSpan {
    let first: Int
    let last: Int
    /// The length of a source pixel.
    let unit: Double
    /// The length of the first source pixel's part that lies before the target pixel.
    let before: Double
    /// The length of the last source pixel's part that lies after the target pixel.
    let after: Double

    /// The factor of the rise around the first pixel that is added if this pixel is cut.
    ///
    /// If colours rise linearly, the part of a pixel after a cut has more than its share: half the
    /// product of both parts times the rise from one pixel to the next. The part before the cut
    /// has as much less. That rise is half the one from the previous pixel to the following one.
    let headSlope: Double
    /// The factor of the rise around the last pixel that is subtracted if this pixel is cut.
    let tailSlope: Double

    /// Returns all stretches of a row.
    static func cutting(_ sources: Int, into targets: Int) -> [ResampleSpan] {
        (0..<targets).map { index in
            let start = index * sources
            let end = start + sources
            let first = start / targets
            let last = (end - 1) / targets
            let before = start - first * targets
            let after = (last + 1) * targets - end
            return ResampleSpan(
                first: first, last: last, unit: Double(targets), before: Double(before),
                after: Double(after),
                headSlope: slope(before, of: targets), tailSlope: slope(after, of: targets))
        }
    }

    private static func slope(_ part: Int, of unit: Int) -> Double {
        Double(part * (unit - part)) / Double(4 * unit)
    }
}

/// The source pixels under one target pixel of a row.
///
/// Lengths are counted so that all are whole: a source pixel is as long as there are target
/// pixels in the row, a target pixel as there are source pixels.
struct Stretch {
    let first: Int
    let last: Int
    /// The length of a source pixel.
    let unit: Int
    /// What of the first source pixel lies before the target pixel.
    let before: Int
    /// What of the last source pixel lies after the target pixel.
    let after: Int

    /// All stretches of a row.
    static func cutting(_ sources: Int, into targets: Int) -> [Stretch] {
        (0..<targets).map { index in
            let start = index * sources
            let end = start + sources
            let first = start / targets
            let last = (end - 1) / targets
            return Stretch(
                first: first, last: last, unit: Int(targets),
                before: Int(start - first * targets), after: Int((last + 1) * targets - end))
        }
    }
}

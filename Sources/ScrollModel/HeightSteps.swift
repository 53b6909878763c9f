/// Heights and places as whole numbers of steps, 1024 to a pixel.
enum HeightSteps {
    /// The greatest sum of heights: up to 2⁵³, a `Double` holds every whole number.
    static let maximumTotal: Int64 = 1 << 53

    private static let perPixel = 1024.0

    static func pixels(_ steps: Int64) -> Double { Double(steps) / perPixel }

    /// A row's height to the nearest step, if there is room for it beside the `others`.
    static func round(
        _ height: Double, row: Int, others: Int64
    ) throws(RowHeightsError) -> Int64 {
        guard height.isFinite else { throw .notFinite(row: row, height: height) }
        guard height >= 0 else { throw .negative(row: row, height: height) }
        let steps = (height * perPixel).rounded()
        guard steps <= Double(maximumTotal - others) else {
            throw .tooLarge(row: row, height: height)
        }
        return Int64(steps)
    }

    /// The last step that is not after a place in px.
    static func atOrBefore(_ place: Double) -> Int64 { limited((place * perPixel).rounded(.down)) }

    /// The first step that is not before a place in px.
    static func atOrAfter(_ place: Double) -> Int64 { limited((place * perPixel).rounded(.up)) }

    /// All places before the content are alike, and so are all behind it.
    private static func limited(_ steps: Double) -> Int64 {
        Int64(min(max(steps, -1), Double(maximumTotal)))
    }
}

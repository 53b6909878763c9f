/// Heights and places as whole numbers of steps, 1024 to a pixel.
enum HeightSteps {
    /// The greatest sum of heights: up to 2⁵³, a `Double` holds every whole number.
    static let maximumTotal: Int64 = 1 << 53

    private static let perPixel = 1024.0

    static func pixels(_ steps: Int64) -> Double { Double(steps) / perPixel }

    /// A row's height to the nearest step, if there is room for it, so many times, beside the
    /// `others`.
    static func round(
        _ height: Double, row: Int, count: Int = 1, others: Int64
    ) throws(RowHeightsError) -> Int64 {
        precondition(count >= 0, "a list has no fewer than zero rows")
        guard height.isFinite else { throw .notFinite(row: row, height: height) }
        guard height >= 0 else { throw .negative(row: row, height: height) }
        let steps = (height * perPixel).rounded()
        let room = maximumTotal - others
        guard steps <= Double(room) else { throw .tooLarge(row: row, height: height) }
        let value = Int64(steps)
        let fitting = value == 0 ? Int64.max : room / value
        guard count <= fitting else { throw .tooLarge(row: row + Int(fitting), height: height) }
        return value
    }

    /// The heights of rows from `row` on, likewise; O(n).
    static func round(
        _ heights: some Sequence<Double>, row: Int, others: Int64
    ) throws(RowHeightsError) -> [Int64] {
        var values: [Int64] = []
        values.reserveCapacity(heights.underestimatedCount)
        var others = others
        for height in heights {
            let value = try round(height, row: row + values.count, others: others)
            others += value
            values.append(value)
        }
        return values
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

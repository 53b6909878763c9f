internal import LullLibC

/// Conversions between pixels and whole steps of 1/1024 px, for heights and positions.
enum HeightSteps {
    /// The maximum sum of heights: up to 2⁵³, a `Double` can represent every integer.
    static let maximumTotal: Int64 = 1 << 53

    /// The maximum number of sections and rows of a list in all.
    static let maximumCount = 1 << 40

    private static let perPixel = 1024.0

    /// The distance of neighbouring points of which what has pixels covers one: a quarter of a
    /// pixel, as on the densest displays.
    ///
    /// Of rows that are lower than that, only those are shown that cover a point. So a viewport
    /// shows a bounded number of lines, whatever their heights.
    private static let grain: Int64 = 256

    /// Returns the first point at or after a position in steps.
    static func point(atOrAfter position: Int64) -> Int64 { (position + grain - 1) & -grain }

    /// Returns the last point before a position in steps.
    static func point(before position: Int64) -> Int64 { (position - 1) & -grain }

    /// Returns whether a height that begins at a position, both in steps, covers a point.
    static func hasPixels(_ height: Int64, at position: Int64) -> Bool {
        isThick(height) || point(atOrAfter: position) < position + height
    }

    /// Returns whether a height covers a point wherever it begins.
    static func isThick(_ height: Int64) -> Bool { height >= grain }

    static func pixels(_ steps: Int64) -> Double { Double(steps) / perPixel }

    /// Returns a row's height rounded to the nearest step, if it fits in addition to `others`.
    @inline(__always)
    static func round(
        _ height: Double, row: Int, others: Int64
    ) throws(RowHeightsError) -> Int64 {
        let steps = (height * perPixel).rounded()
        // Written so that NaN fails as well.
        guard height >= 0, steps <= Double(maximumTotal - others) else {
            throw refusal(height, row)
        }
        return Int64(steps)
    }

    /// Returns the same for a number of rows of one height, `most` at most.
    static func round(
        _ height: Double, row: Int, count: Int, others: Int64,
        most: Int = maximumCount
    ) throws(RowHeightsError) -> Int64 {
        guard count >= 0 else { throw .count(count) }
        let value = try round(height, row: row, others: others)
        let fitting = value == 0 ? Int64.max : (maximumTotal - others) / value
        guard count <= fitting else { throw .tooLarge(row: row + Int(fitting), height: height) }
        guard count <= most else { throw .count(count) }
        return value
    }

    private static func refusal(_ height: Double, _ row: Int) -> RowHeightsError {
        if !height.isFinite { return .notFinite(row: row, height: height) }
        return height < 0
            ? .negative(row: row, height: height) : .tooLarge(row: row, height: height)
    }

    /// Returns the heights of a list's rows in steps; O(n).
    static func tree(_ heights: some Sequence<Double>) throws(RowHeightsError) -> SumTree {
        var builder = SumTreeBuilder()
        // Most lists come as an array, which avoids a call for each height.
        if let array = heights as? [Double] {
            for height in array {
                builder.append(try round(height, row: builder.count, others: builder.total))
            }
        } else {
            for height in heights {
                builder.append(try round(height, row: builder.count, others: builder.total))
            }
        }
        return builder.finish()
    }

    /// Returns the step that is nearest to a position in px.
    static func nearest(_ place: Double) -> Int64 { limited((place * perPixel).rounded()) }

    /// Returns the last step at or before a position in px.
    static func atOrBefore(_ place: Double) -> Int64 { limited((place * perPixel).rounded(.down)) }

    /// Returns the first step at or after a position in px.
    static func atOrAfter(_ place: Double) -> Int64 { limited((place * perPixel).rounded(.up)) }

    /// Clamps a number of steps, as all positions above the content are equivalent, and all below
    /// it; what isn't a number is above it.
    private static func limited(_ steps: Double) -> Int64 {
        steps > -1 ? Int64(min(steps, Double(maximumTotal))) : -1
    }
}

// Heights of a list's elements.
extension HeightSteps {
    /// Returns an element's height rounded to the nearest step.
    static func round(
        _ height: Double, of element: ListElement
    ) throws(ListUpdateError) -> Int64 {
        do {
            return try round(height, row: element.row, others: 0)
        } catch {
            throw .height(element, error)
        }
    }

    /// Returns a sum of heights and that of a number of equal elements, the first of which is given.
    static func sum(
        _ total: Int64, _ value: Int64, times count: Int = 1, of element: ListElement
    ) throws(ListUpdateError) -> Int64 {
        let room = maximumTotal - total
        let fitting = value == 0 ? Int64.max : room / value
        guard count <= fitting else {
            let height = pixels(value)
            throw .height(element, .tooLarge(row: element.row + Int(fitting), height: height))
        }
        return total + value * Int64(count)
    }
}

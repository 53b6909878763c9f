/// The reason why a row's height, or a number of rows, is invalid.
public enum RowHeightsError: Error, Equatable, Sendable {
    /// The height is infinite or not a number.
    case notFinite(row: Int, height: Double)
    /// The height is negative; zero is allowed.
    case negative(row: Int, height: Double)
    /// The row makes the content larger than 2⁴³ px.
    case tooLarge(row: Int, height: Double)
    /// The number of rows is negative, or more than 2⁴⁰ in all.
    case count(Int)
}

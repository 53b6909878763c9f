/// The reason why a height cannot be a row's, and the row it was meant for.
public enum RowHeightsError: Error, Equatable, Sendable {
    /// The height is infinite or not a number.
    case notFinite(row: Int, height: Double)
    /// The height is below zero; zero itself is allowed.
    case negative(row: Int, height: Double)
    /// With this row the content grows beyond ``RowHeights/maximumContentHeight``.
    case tooLarge(row: Int, height: Double)
}

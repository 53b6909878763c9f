/// Why a height can't be kept.
public enum KeyedHeightError: Error, Equatable, Sendable {
    /// The height is infinite or not a number.
    case notFinite(height: Double)
    /// The height is below zero; zero itself is a height.
    case negative(height: Double)
}

extension KeyedHeightError {
    static func check(_ height: Double) throws(KeyedHeightError) {
        guard height.isFinite else { throw .notFinite(height: height) }
        guard height >= 0 else { throw .negative(height: height) }
    }
}

/// A month of a year.
public struct Month: Hashable, Sendable, Comparable {
    /// The number of months since January of the year 0.
    public let number: Int

    /// The month at a time in seconds since 1970, in UTC or by a camera's clock.
    ///
    /// Years are counted from March on, so that a leap day is the last, in eras of 400 years; see
    /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    init(ofTime seconds: Int) {
        let day = Self.floor(seconds, 86_400) + 719_468
        let era = Self.floor(day, 146_097)
        let dayOfEra = day - era * 146_097
        let year =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        number = (era * 400 + year) * 12 + (5 * dayOfYear + 2) / 153 + 2
    }

    private static func floor(_ number: Int, _ divisor: Int) -> Int {
        (number - (number % divisor + divisor) % divisor) / divisor
    }

    /// The year.
    public var year: Int { Self.floor(number, 12) }
    /// The number of months since January.
    private var index: Int { (number % 12 + 12) % 12 }

    /// The month's name and the year, as in `March 2024`.
    public var name: String { "\(Self.names[index]) \(year)" }

    private static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// Returns whether a month is earlier than another.
    public static func < (one: Month, other: Month) -> Bool { one.number < other.number }
}

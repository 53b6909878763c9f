import ReplayReport
import ReplayTerminal

extension JSON {
    /// Returns a number with six decimals.
    static func six(_ value: Double) -> JSON { .digits(decimals(value, 6)) }

    /// Returns a whole number of any size.
    static func integer(_ value: some BinaryInteger) -> JSON { .digits(String(value)) }
}

/// Returns a number with a fixed number of decimals, rounded half away from zero, the same on every
/// machine.
func decimals(_ value: Double, _ count: Int) -> String {
    fixed(value, count)
}

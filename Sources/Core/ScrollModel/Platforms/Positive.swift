/// Returns whether all numbers are greater than zero, which NaN is not.
func arePositive(_ numbers: Double...) -> Bool {
    numbers.allSatisfy { $0 > 0 }
}

/// Whether all numbers are above zero, which one that isn't a number never is.
func arePositive(_ numbers: Double...) -> Bool {
    numbers.allSatisfy { $0 > 0 }
}

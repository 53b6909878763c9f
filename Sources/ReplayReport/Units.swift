/// Nanoseconds in whole microseconds.
func microseconds(_ nanoseconds: Int64) -> Int {
    Int((nanoseconds + (nanoseconds < 0 ? -500 : 500)) / 1000)
}

/// Pixels in whole tenths.
func tenths(_ pixels: Double) -> Int {
    Int((pixels * 10).rounded())
}

/// A number with a fixed count of decimals, the same on every machine.
func decimals(_ value: Double, _ count: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<count { scale *= 10 }
    let scaled = Int64((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard count > 0 else { return sign + String(scaled) }
    let digits = String(scaled % scale)
    let fraction = String(repeating: "0", count: count - digits.count) + digits
    return "\(sign)\(scaled / scale).\(fraction)"
}

/// Nanoseconds in milliseconds with a decimal.
func milliseconds(_ nanoseconds: Int64) -> String { decimals(Double(nanoseconds) / 1e6, 1) }

/// Nanoseconds in milliseconds, with a decimal if there are fewer than 100.
func shortMilliseconds(_ nanoseconds: Int64) -> String {
    decimals(Double(nanoseconds) / 1e6, nanoseconds < 99_950_000 ? 1 : 0)
}

/// Row-nanoseconds in row-seconds with three decimals.
func rowSeconds(_ nanoseconds: Int64) -> String { decimals(Double(nanoseconds) / 1e9, 3) }

/// Returns nanoseconds in whole microseconds.
func microseconds(_ nanoseconds: Int64) -> Int {
    Int((nanoseconds + (nanoseconds < 0 ? -500 : 500)) / 1000)
}

/// Returns pixels in whole tenths.
func tenths(_ pixels: Double) -> Int {
    Int((pixels * 10).rounded())
}

/// Returns a number with a fixed number of decimals, the same on every machine.
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

/// Returns nanoseconds in milliseconds with one decimal.
func milliseconds(_ nanoseconds: Int64) -> String { decimals(Double(nanoseconds) / 1e6, 1) }

/// Returns nanoseconds in milliseconds, with one decimal below 100.
func shortMilliseconds(_ nanoseconds: Int64) -> String {
    decimals(Double(nanoseconds) / 1e6, nanoseconds < 99_950_000 ? 1 : 0)
}

/// Returns row-nanoseconds in row-seconds with three decimals.
func rowSeconds(_ nanoseconds: Int64) -> String { decimals(Double(nanoseconds) / 1e9, 3) }

/// Returns a whole number of tenths, hundredths and so on as a decimal without trailing zeros:
/// 16_400 with 6 places is 0.0164.
func decimal(_ value: Int64, places: Int) -> String {
    var digits = String(value.magnitude)
    if digits.utf8.count <= places {
        digits = String(repeating: "0", count: places + 1 - digits.utf8.count) + digits
    }
    var fraction = digits.suffix(places)
    while fraction.last == "0" { fraction.removeLast() }
    let whole = digits.dropLast(places)
    return (value < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
}

/// Returns a number in as few digits as represent it exactly.
func plain(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// Returns a number with a fixed number of decimals, rounded half away from zero, the same on every
/// machine.
package func fixed(_ value: Double, _ count: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<count { scale *= 10 }
    let scaled = Int64((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard count > 0 else { return sign + String(scaled) }
    let digits = String(scaled % scale)
    let fraction = String(repeating: "0", count: max(0, count - digits.count)) + digits
    return "\(sign)\(scaled / scale).\(fraction)"
}

/// Returns a number with at most `count` decimals and without trailing zeros.
package func brief(_ value: Double, upTo count: Int = 3) -> String {
    var text = fixed(value, count)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
}

/// Returns nanoseconds in seconds.
func seconds(_ nanoseconds: Int64, _ count: Int = 3) -> String {
    fixed(Double(nanoseconds) / 1e9, count)
}

/// Returns nanoseconds in milliseconds.
func milliseconds(_ nanoseconds: Int64, _ count: Int = 1) -> String {
    fixed(Double(nanoseconds) / 1e6, count)
}

/// Returns a share in per cent.
func percent(_ share: Double) -> String { fixed(share * 100, 0) + " %" }

/// Returns a count with its noun.
func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
}

extension String {
    /// Returns this text padded on the right to a width.
    func filled(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// Returns this text padded on the left to a width.
    func right(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}

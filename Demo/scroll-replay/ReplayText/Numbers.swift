package import IdleLoop

/// Returns a number with a fixed number of decimals, rounded half away from zero, the same on every
/// machine.
package func decimals(_ value: Double, _ count: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<count { scale *= 10 }
    let scaled = Int64((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard count > 0 else { return sign + String(scaled) }
    let fraction = String(scaled % scale)
    return "\(sign)\(scaled / scale)." + String(repeating: "0", count: count - fraction.count)
        + fraction
}

/// Returns a number with at most `count` decimals and without trailing zeros.
package func brief(_ value: Double, upTo count: Int = 3) -> String {
    var text = decimals(value, count)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
}

/// Returns a duration in seconds.
package func seconds(_ duration: Duration, _ count: Int = 3) -> String {
    decimals(Double(duration.nanoseconds) / 1e9, count)
}

/// Returns the seconds since the start of a trace.
package func seconds(_ time: Instant, _ count: Int = 3) -> String {
    seconds(time - Instant.zero, count)
}

/// Returns a duration in milliseconds.
package func milliseconds(_ duration: Duration, _ count: Int = 1) -> String {
    decimals(Double(duration.nanoseconds) / 1e6, count)
}

/// Returns the milliseconds since the start of a trace.
package func milliseconds(_ time: Instant) -> String { milliseconds(time - Instant.zero) }

/// Returns a duration in whole microseconds.
package func microseconds(_ duration: Duration) -> Int {
    Int((duration.nanoseconds + (duration < .zero ? -500 : 500)) / 1000)
}

/// Returns the whole microseconds since the start of a trace.
package func microseconds(_ time: Instant) -> Int { microseconds(time - Instant.zero) }

/// Returns a share in per cent.
package func percent(_ share: Double) -> String { decimals(share * 100, 0) + " %" }

/// Returns a count with its noun.
package func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
}

/// Returns the middle one of some values, the upper of two; nil if there are none.
package func median<Value: Comparable>(_ values: [Value]) -> Value? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
}

extension Duration {
    /// The duration in whole nanoseconds, at most 292 years.
    package var nanoseconds: Int64 {
        let parts = components
        return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
    }
}

extension String {
    /// Returns this text padded on the right to a width.
    package func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }

    /// This text without trailing spaces.
    package var trimmedEnd: String {
        var text = self
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }

    /// Returns this text padded on the left to a width.
    package func right(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}

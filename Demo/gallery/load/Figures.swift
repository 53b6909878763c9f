internal import IdleLoop

/// Durations, and what is asked of many of them.
struct Figures {
    private(set) var values: [Double] = []

    /// How many there are.
    var count: Int { values.count }

    mutating func add(_ duration: Duration) {
        values.append(duration / .milliseconds(1))
    }

    /// The value, in ms, below which this share of them lies; 0 of none.
    func quantile(_ share: Double) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
    }

    /// The largest, in ms.
    var worst: Double { values.max() ?? 0 }
}

extension Double {
    /// With so many digits after the point.
    func text(_ digits: Int = 2) -> String {
        let scale = (0..<digits).reduce(1.0) { value, _ in value * 10 }
        let whole = Int((abs(self) * scale).rounded())
        let fraction = String(whole % Int(scale))
        let zeros = String(repeating: "0", count: max(0, digits - fraction.count))
        let sign = self < 0 && whole != 0 ? "-" : ""
        return sign + String(whole / Int(scale)) + (digits > 0 ? "." + zeros + fraction : "")
    }
}

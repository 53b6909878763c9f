/// A number in digits, with a sign and a point if it needs them: `-12.5`, not `1e3`.
///
/// Reports have a thousand numbers a second, and few digits to each: those are read here, exactly,
/// and others as the standard library reads them.
struct DecimalNumber {
    /// How many digits a number may have that a `Double` holds whichever they are.
    private static let exactDigits = 15

    let value: Double

    /// The number that a text is, all of it; nil if it's none.
    init?(_ text: ArraySlice<UInt8>) {
        var digits = text
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        var (whole, scale, count) = (0, 1.0, 0)
        var hasPoint = false
        for byte in digits {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                count += 1
                guard count <= Self.exactDigits else { continue }
                whole = 10 * whole + Int(byte - UInt8(ascii: "0"))
                if hasPoint { scale *= 10 }
            case UInt8(ascii: ".") where !hasPoint: hasPoint = true
            default: return nil
            }
        }
        guard count > 0 else { return nil }
        guard count <= Self.exactDigits else {
            guard let long = Double(String(decoding: text, as: UTF8.self)) else { return nil }
            value = long
            return
        }
        // Both are exact, so that their quotient is the nearest there is.
        value = (isNegative ? -Double(whole) : Double(whole)) / scale
    }
}

/// The natural sort order of names: `img2` before `img10`, regardless of case.
///
/// Names are compared as bytes, which needn't be text. Consecutive digits are one number. A folder
/// comes before its content, and its content before any other folder whose name continues its own.
/// Names that are otherwise equal are ordered by their bytes, so that the order is total.
enum NaturalOrder {
    /// Compares two names; returns a negative number, zero or a positive number.
    ///
    /// The comparison begins at `start`; the bytes before it are known to be equal.
    static func compare(_ one: [UInt8], _ other: [UInt8], from start: Int = 0) -> Int {
        var (i, j) = (start, start)
        while i < one.count, j < other.count {
            let (a, b) = (one[i], other[j])
            if isDigit(a), isDigit(b) {
                let numbers = (number(in: one, from: i), number(in: other, from: j))
                let difference = compare(one[numbers.0], other[numbers.1])
                if difference != 0 { return difference }
                (i, j) = (numbers.0.upperBound, numbers.1.upperBound)
            } else {
                let difference = rank(a) - rank(b)
                if difference != 0 { return difference }
                (i, j) = (i + 1, j + 1)
            }
        }
        if i < one.count || j < other.count { return i < one.count ? 1 : -1 }
        if one[start...].elementsEqual(other[start...]) { return 0 }
        return one[start...].lexicographicallyPrecedes(other[start...]) ? -1 : 1
    }

    /// Returns the range of the number that begins at `start`, without leading zeros.
    private static func number(in name: [UInt8], from start: Int) -> Range<Int> {
        var first = start
        while first < name.count, name[first] == UInt8(ascii: "0") { first += 1 }
        var end = first
        while end < name.count, isDigit(name[end]) { end += 1 }
        return first..<end
    }

    /// Compares numbers without leading zeros, of any length.
    private static func compare(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Int {
        if one.count != other.count { return one.count - other.count }
        for (a, b) in zip(one, other) where a != b { return Int(a) - Int(b) }
        return 0
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    private static func rank(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "/"): 0
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) + 0x20
        default: Int(byte)
        }
    }
}

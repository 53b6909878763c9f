/// The order in which people put names: `img2` before `img10`, whatever the case of letters.
///
/// It's an order of bytes, which needn't be text. Digits in a row are one number; a folder comes
/// before what is in it, and all that before any other folder whose name goes on. Names alike in
/// all that go by their bytes, so that no two are equal and the order is one.
enum NaturalOrder {
    /// Negative if one comes before the other, positive if after it, zero if they're the same.
    ///
    /// Both are looked at from `start` on: what comes before is known to be the same.
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

    /// Returns where the number ends that begins at `start`, and where its first digit is that counts.
    private static func number(in name: [UInt8], from start: Int) -> Range<Int> {
        var first = start
        while first < name.count, name[first] == UInt8(ascii: "0") { first += 1 }
        var end = first
        while end < name.count, isDigit(name[end]) { end += 1 }
        return first..<end
    }

    /// Compares numbers without zeros before them, of any length.
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

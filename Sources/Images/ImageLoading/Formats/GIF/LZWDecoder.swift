/// A decompressor of the LZW (Lempel, Ziv, Welch) data in a GIF, a line at a time.
///
/// A code stands for a string: that of an earlier code, and one value more. Each code in the data
/// defines the next free code as the previous string and the first value of its own string.
struct LZWDecoder {
    enum Outcome {
        /// The line is full.
        case full
        /// The bounded number of codes was read, and did not fill the line.
        case more
        /// The data ended before the line was full.
        case ended
    }

    /// A string in words of eight values; most strings are a single word.
    private struct Word {
        /// The values of the last word, the first one in the lowest byte.
        var tail: UInt64 = 0
        /// The code of the words before it, if there are any.
        var head: UInt16 = 0
        var length: UInt16 = 0
        var first: UInt8 = 0

        /// The number of values in the last word.
        var tailLength: Int { (Int(length) - 1) % 8 + 1 }

        /// Returns the string extended by one value, where `code` is the code of this string.
        func extended(by value: UInt8, code: Int) -> Word {
            let isFull = length % 8 == 0
            return Word(
                tail: isFull ? UInt64(value) : tail | UInt64(value) << UInt64(8 * (length % 8)),
                head: isFull ? UInt16(code) : head, length: length + 1, first: first)
        }
    }

    /// The number of codes that are read at once, which takes some tens of microseconds.
    private static let codesAtOnce = 4096
    private static let codeCount = 4096
    /// The room after a line for the longest string, whose last word is written as a full one.
    static let overhang = codeCount + 8

    private let initialBits: Int
    private let clear: Int
    private var blocks: GIFBlocks
    private var width: Int
    private var next: Int
    private var previous: Int?
    private var strings: [Word]

    /// Creates a decoder of blocks whose values have the given number of bits.
    init(_ blocks: GIFBlocks, valueBits: Int) throws(PictureError.Reason) {
        guard (1...8).contains(valueBits) else {
            throw .corrupt("GIF values of \(valueBits) bits")
        }
        self.blocks = blocks
        initialBits = valueBits + 1
        clear = 1 << valueBits
        width = initialBits
        next = clear + 2
        strings = [Word](repeating: Word(), count: Self.codeCount)
        for value in 0..<clear {
            strings[value] = Word().extended(by: UInt8(value), code: 0)
            strings[value].first = UInt8(value)
        }
    }

    /// Writes values to a line until it has `length` of them.
    ///
    /// - Parameters:
    ///   - line: The line, and after it `overhang` bytes for the rest of its last string.
    ///   - count: The number of values in the line, which may become more than `length`.
    ///   - length: The number of values that fill the line.
    /// - Returns: Whether the line is full.
    /// - Throws: `corrupt` if the data are damaged, or an error of reading.
    mutating func fill(
        _ line: inout [UInt8], _ count: inout Int, to length: Int
    ) throws(PictureError.Reason) -> Outcome {
        var codesLeft = Self.codesAtOnce
        while count < length {
            guard codesLeft > 0 else { return .more }
            guard try blocks.hasBits(width), try expand(to: &line, &count, length, &codesLeft)
            else {
                return .ended
            }
        }
        return .full
    }

    /// Expands the codes read so far; returns whether data may follow.
    private mutating func expand(
        to line: inout [UInt8], _ count: inout Int, _ length: Int, _ codesLeft: inout Int
    ) throws(PictureError.Reason) -> Bool {
        var line = line.mutableSpan
        var values = unsafe line.mutableBytes
        while count < length, codesLeft > 0, let code = blocks.next(width) {
            codesLeft -= 1
            if code == clear {
                width = initialBits
                next = clear + 2
                previous = nil
                continue
            }
            if code == clear + 1 { return false }
            if let previous {
                guard code < next || (code == next && next < Self.codeCount) else {
                    throw .corrupt("a GIF code that is not defined yet")
                }
                if next < Self.codeCount {
                    // A code that is being defined right now begins as the previous one does.
                    let value = strings[code == next ? previous : code].first
                    strings[next] = strings[previous].extended(by: value, code: previous)
                    next += 1
                    if next == 1 << width, width < 12 { width += 1 }
                }
            } else if code >= clear {
                throw .corrupt("GIF data that begin in the middle")
            }
            previous = code
            // From the last word to the first, so that excess bytes of a word are overwritten.
            var word = strings[code]
            let first = count
            count += Int(word.length)
            var place = count - word.tailLength
            values.storeBytes(of: word.tail.littleEndian, toByteOffset: place, as: UInt64.self)
            while place > first {
                word = strings[Int(word.head)]
                place -= 8
                values.storeBytes(of: word.tail.littleEndian, toByteOffset: place, as: UInt64.self)
            }
        }
        return true
    }
}

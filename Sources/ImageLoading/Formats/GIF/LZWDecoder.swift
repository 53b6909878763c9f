/// Expands what GIF packs by Lempel, Ziv and Welch's method, a line at a time.
///
/// A code stands for a string: that of an earlier code, and one value more. Each code that comes
/// defines the next free one: the string before it, and the first value of its own.
struct LZWDecoder {
    enum Outcome {
        /// The line is full.
        case full
        /// A bounded number of codes was read, and did not fill it.
        case more
        /// The data ended before it was full.
        case ended
    }

    /// How many codes are read at once: some tens of microseconds' worth.
    private static let codesAtOnce = 4096

    private let initialBits: Int
    private let clear: Int
    private var blocks: GIFBlocks
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var width: Int
    private var next: Int
    private var previous: Int?
    private var first: UInt8 = 0
    /// For each code the one it continues (bits 0 to 11), its last value (12 to 19), and its length
    /// (from 20).
    private var codes: [UInt32]
    /// What of a string did not fit into a line, last value first.
    private var rest: [UInt8] = []

    /// A decoder of the data that begin with the size of their values.
    init(_ blocks: GIFBlocks, valueBits: Int) throws(PictureError.Reason) {
        guard (1...8).contains(valueBits) else {
            throw .corrupt("GIF values of \(valueBits) bits")
        }
        self.blocks = blocks
        initialBits = valueBits + 1
        clear = 1 << valueBits
        width = initialBits
        next = clear + 2
        codes = [UInt32](repeating: 0, count: 4096)
        for value in 0..<clear { codes[value] = 1 << 20 | UInt32(value) << 12 }
    }

    /// Writes values to a line from `column` on, which it moves.
    mutating func fill(
        _ line: inout [UInt8], from column: inout Int
    ) throws(PictureError.Reason) -> Outcome {
        while column < line.count, let value = rest.popLast() {
            line[column] = value
            column += 1
        }
        var codesLeft = Self.codesAtOnce
        while column < line.count {
            if codesLeft == 0 { return .more }
            codesLeft -= 1
            guard let code = try nextCode(), code != clear + 1 else { return .ended }
            if code == clear {
                width = initialBits
                next = clear + 2
                previous = nil
            } else {
                try check(code)
                // A code that is only now being defined begins as the previous one does.
                let isNext = code == next
                if isNext { define(endingIn: first) }
                column = Self.write(code, of: codes, to: &line, from: column, &first, &rest)
                if !isNext { define(endingIn: first) }
                if previous != nil, next < 4096 { makeRoom() }
                previous = code
            }
        }
        return .full
    }

    private mutating func nextCode() throws(PictureError.Reason) -> Int? {
        while bitCount < width {
            guard let byte = try blocks.next() else { return nil }
            bits |= UInt32(byte) << UInt32(bitCount)
            bitCount += 8
        }
        let code = Int(bits) & (1 << width - 1)
        bits >>= UInt32(width)
        bitCount -= width
        return code
    }

    private func check(_ code: Int) throws(PictureError.Reason) {
        if previous == nil {
            guard code < clear else { throw .corrupt("GIF data that begin in the middle") }
        } else {
            guard code < next || (code == next && next < 4096) else {
                throw .corrupt("a GIF code that is not defined yet")
            }
        }
    }

    /// Defines the next free code: the previous string and one value more.
    private mutating func define(endingIn value: UInt8) {
        guard let previous, next < 4096 else { return }
        let length = codes[previous] >> 20 + 1
        codes[next] = length << 20 | UInt32(value) << 12 | UInt32(previous)
    }

    private mutating func makeRoom() {
        next += 1
        if next == 1 << width, width < 12 { width += 1 }
    }

    /// Writes a code's string, from its last value to its first.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - codes: What all codes stand for.
    ///   - line: Gets the string.
    ///   - column: Where in the line.
    ///   - first: Gets the first value of the string.
    ///   - rest: Gets what does not fit into the line.
    /// - Returns: Where the line goes on.
    private static func write(
        _ code: Int, of codes: [UInt32], to line: inout [UInt8], from column: Int,
        _ first: inout UInt8, _ rest: inout [UInt8]
    ) -> Int {
        let codes = codes.span
        var output = line.mutableSpan
        let end = column + Int(codes[code] >> 20)
        var place = end
        var code = code
        var value: UInt8 = 0
        while place > output.count {
            let entry = codes[code]
            code = Int(entry & 0xFFF)
            place -= 1
            value = UInt8(truncatingIfNeeded: entry >> 12)
            rest.append(value)
        }
        while place > column {
            let entry = codes[code]
            code = Int(entry & 0xFFF)
            place -= 1
            value = UInt8(truncatingIfNeeded: entry >> 12)
            output[place] = value
        }
        first = value
        return min(end, output.count)
    }
}

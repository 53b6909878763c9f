/// Packs indices as GIF does, by the textbook: strings in a dictionary.
struct LZWPacker {
    private let valueBits: Int
    private let clears: Bool
    private var codes: [[UInt8]: Int] = [:]
    private var next = 0
    private var width = 0
    private var string: [UInt8] = []
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var bytes: [UInt8] = []

    /// A packer that begins anew when its dictionary is full, or else goes on with it.
    init(valueBits: Int, clears: Bool) {
        self.valueBits = valueBits
        self.clears = clears
        begin()
        emit(1 << valueBits)
    }

    mutating func add(_ values: ArraySlice<UInt8>) {
        for value in values {
            let longer = string + [value]
            if codes[longer] != nil {
                string = longer
                continue
            }
            emit(codes[string]!)
            string = [value]
            if next < 4096 {
                codes[longer] = next
                next += 1
                // The reader defines each code one later than the writer.
                if next == 1 << width + 1, width < 12 { width += 1 }
            } else if clears {
                emit(1 << valueBits)
                begin()
            }
        }
    }

    /// The packed bytes, with their end mark.
    consuming func finished() -> [UInt8] {
        emit(codes[string]!)
        // After the last string, the reader defines one more code.
        if next < 4096, next == 1 << width, width < 12 { width += 1 }
        emit(1 << valueBits + 1)
        if bitCount > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
        return bytes
    }

    private mutating func begin() {
        codes = [:]
        for value in 0..<1 << valueBits { codes[[UInt8(value)]] = value }
        next = 1 << valueBits + 2
        width = valueBits + 1
    }

    private mutating func emit(_ code: Int) {
        bits |= UInt64(code) << UInt64(bitCount)
        bitCount += width
        while bitCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }
}

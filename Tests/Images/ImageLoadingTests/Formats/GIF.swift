import ImageLoading

/// A GIF that tests write: a frame of indices on a screen.
struct GIF {
    var screen: PixelSize
    var frame: PixelSize
    var x = 0
    var y = 0
    var indices: [UInt8]
    /// Red, green and blue of each colour; none for a file without a palette.
    var palette: [[UInt8]]
    var isPaletteLocal = false
    var isInterlaced = false
    var transparent: UInt8?
    /// What stands before the picture.
    var extensions: [UInt8] = []
    /// Whether the packer says when it begins anew.
    var clears = true

    init(size: PixelSize, indices: [UInt8], palette: [[UInt8]]) {
        screen = size
        frame = size
        self.indices = indices
        self.palette = palette
    }

    /// A picture in its own colours, of which there are fewer than 256.
    init(_ sample: Sample, isInterlaced: Bool = false) {
        var palette: [[UInt8]] = []
        var numbers: [[UInt8]: UInt8] = [:]
        let values = sample.rows { [$0[0], $0[1], $0[2]] }
        let indices = stride(from: 0, to: values.count, by: 3).map { start in
            let color = Array(values[start..<start + 3])
            if let number = numbers[color] { return number }
            numbers[color] = UInt8(palette.count)
            palette.append(color)
            return UInt8(palette.count - 1)
        }
        self.init(size: sample.size, indices: indices, palette: palette)
        self.isInterlaced = isInterlaced
    }

    func encoded() -> [UInt8] {
        var bytes = Array("GIF89a".utf8) + Self.number(screen.width) + Self.number(screen.height)
        bytes += [isPaletteLocal ? 0 : paletteFlags, 0, 0]
        if !isPaletteLocal { bytes += paletteBytes }
        bytes += extensions
        if let transparent { bytes += [0x21, 0xF9, 4, 1, 0, 0, transparent, 0] }
        bytes += [0x2C] + [x, y, frame.width, frame.height].flatMap(Self.number)
        bytes += [(isPaletteLocal ? paletteFlags : 0) | (isInterlaced ? 0x40 : 0)]
        if isPaletteLocal { bytes += paletteBytes }
        var packer = LZWPacker(valueBits: valueBits, clears: clears)
        for line in lines { packer.add(indices[line * frame.width..<(line + 1) * frame.width]) }
        bytes.append(UInt8(valueBits))
        let data = packer.finished()
        for start in stride(from: 0, to: data.count, by: 255) {
            let block = data[start..<min(start + 255, data.count)]
            bytes += [UInt8(block.count)] + block
        }
        return bytes + [0, 0x3B]
    }

    private var lines: [Int] {
        guard isInterlaced else { return Array(0..<frame.height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { first, step in
            Array(stride(from: first, to: frame.height, by: step))
        }
    }

    private var valueBits: Int {
        let largest = max(3, Int(indices.max() ?? 0), palette.count - 1)
        return Int.bitWidth - largest.leadingZeroBitCount
    }

    private var paletteFlags: UInt8 { palette.isEmpty ? 0 : 0x80 | UInt8(valueBits - 1) }

    private var paletteBytes: [UInt8] {
        guard !palette.isEmpty else { return [] }
        let unused = [UInt8](repeating: 0, count: 3 * ((1 << valueBits) - palette.count))
        return palette.flatMap { $0 } + unused
    }

    private static func number(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
}

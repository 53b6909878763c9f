import ImageLoading

/// The HEVC parameter sets in an hvcC box, which determine the memory of its decoder.
enum HEVCParameters {
    /// Returns the parameter sets, each after four bytes of its length.
    ///
    /// - Throws: An error if one has another size than the file states, except for cropping at the
    ///   edges, or more values for each pixel, or a greater bit depth.
    static func units(of image: CodedImage) throws(PictureError.Reason) -> [UInt8] {
        var reader = BoxReader(image.configuration[22...])
        var units: [UInt8] = []
        for _ in 0..<(try reader.number(1)) {
            _ = try reader.number(1)
            for _ in 0..<(try reader.number(2)) {
                let length = try reader.number(2)
                let unit = try reader.bytes(length)
                // Other units are ignored.
                let type = (unit.first ?? 0) >> 1 & 0x3F
                guard 32...34 ~= type else { continue }
                if type == 33 { try check(unit, image) }
                units += [0, 0, UInt8(length >> 8), UInt8(length & 0xFF)] + unit
            }
        }
        return units
    }

    /// Compares a sequence parameter set with the properties in the file.
    private static func check(
        _ unit: ArraySlice<UInt8>, _ image: CodedImage
    ) throws(PictureError.Reason) {
        var bits = BitReader(unit.dropFirst(2))
        bits.skip(4)
        let layers = try bits.number(3)
        bits.skip(1 + 88 + 8)
        var flags: [Int] = []
        for _ in 0..<layers { flags.append(try bits.number(2)) }
        if layers > 0 { bits.skip(2 * (8 - layers)) }
        for flag in flags { bits.skip((flag & 2 == 0 ? 0 : 88) + (flag & 1 == 0 ? 0 : 8)) }
        _ = try bits.code()
        let chroma = try bits.code()
        guard chroma < 4 else { throw .corrupt("HEVC with colours of kind \(chroma)") }
        if chroma == 3 { bits.skip(1) }
        // The size is a multiple of the smallest block.
        let coded = PixelSize(width: try bits.code(), height: try bits.code())
        let shown = image.tileSize
        guard shown.width...shown.width + 64 ~= coded.width,
            shown.height...shown.height + 64 ~= coded.height
        else { throw .corrupt("HEVC of \(coded) pixels in a picture of \(shown)") }
        if try bits.number(1) == 1 { for _ in 0..<4 { _ = try bits.code() } }
        // The bit depths of luma and chroma, minus 8.
        let depth = max(try bits.code(), try bits.code())
        let bytesForTwo = CodedImage.valuesForTwo[chroma] * (depth > 0 ? 2 : 1)
        guard bytesForTwo <= image.bytesForTwo else {
            throw .corrupt("HEVC of more values, or deeper ones, than the file says")
        }
    }
}

/// A reader of bits in a NAL unit, which skips emulation prevention bytes: a 3 after two zeros.
private struct BitReader {
    private var bits: [UInt8] = []
    private var position = 0

    /// Creates a reader of the first bytes, which contain all required fields.
    init(_ bytes: ArraySlice<UInt8>) {
        var zeros = 0
        for byte in bytes.prefix(256) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            for shift in stride(from: 7, through: 0, by: -1) { bits.append(byte >> shift & 1) }
        }
    }

    mutating func skip(_ count: Int) { position += count }

    mutating func number(_ count: Int) throws(PictureError.Reason) -> Int {
        guard position + count <= bits.count else { throw .corrupt("parameters that end early") }
        defer { position += count }
        return bits[position..<position + count].reduce(0) { $0 << 1 | Int($1) }
    }

    /// Reads an Exp-Golomb code: as many zeros as the number has bits after its first.
    mutating func code() throws(PictureError.Reason) -> Int {
        var zeros = 0
        while try number(1) == 0 { zeros += 1 }
        guard zeros < 32 else { throw .corrupt("parameters of too many bits") }
        return (1 << zeros | (try number(zeros))) - 1
    }
}

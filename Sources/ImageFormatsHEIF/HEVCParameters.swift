import ImageLoading

/// Finds the size of a picture in the parameters of HEVC, by which its decoder takes memory.
enum HEVCParameters {
    /// Checks that all sets of parameters in a box hvcC are of pictures of the size that the file
    /// says, but for what is cut off at the edges.
    static func check(_ image: CodedImage) throws(PictureError.Reason) {
        var reader = BoxReader(image.configuration[22...])
        var sets = 0
        for _ in 0..<(try reader.number(1)) {
            let type = try reader.number(1) & 0x3F
            for _ in 0..<(try reader.number(2)) {
                let unit = try reader.bytes(reader.number(2))
                guard type == 33 || unit.first.map({ $0 >> 1 & 0x3F }) == 33 else { continue }
                sets += 1
                let size = try size(unit)
                let (width, height) = (image.tileSize.width, image.tileSize.height)
                // The coded size is a multiple of the smallest block, at most 64.
                guard width...width + 64 ~= size.width, height...height + 64 ~= size.height else {
                    throw .corrupt("HEVC of \(size) pixels in a picture of \(image.tileSize)")
                }
            }
        }
        guard sets == 1 else { throw .corrupt("HEVC with \(sets) sets of parameters") }
    }

    /// The coded size that a sequence parameter set tells.
    private static func size(_ unit: ArraySlice<UInt8>) throws(PictureError.Reason) -> PixelSize {
        var bits = BitReader(unit.dropFirst(2))
        bits.skip(4)
        let layers = try bits.number(3)
        bits.skip(1 + 88 + 8)
        var flags: [Int] = []
        for _ in 0..<layers { flags.append(try bits.number(2)) }
        if layers > 0 { bits.skip(2 * (8 - layers)) }
        for flag in flags { bits.skip((flag & 2 == 0 ? 0 : 88) + (flag & 1 == 0 ? 0 : 8)) }
        _ = try bits.code()
        if try bits.code() == 3 { bits.skip(1) }
        return PixelSize(width: try bits.code(), height: try bits.code())
    }
}

/// Reads bits of HEVC, where a 3 stands after two zeros so that they look like no start.
private struct BitReader {
    private var bits: [UInt8] = []
    private var position = 0

    /// A reader of the first bytes, in which all that matters is.
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

    /// Reads a number of any length: as many zeros as it has bits after its first.
    mutating func code() throws(PictureError.Reason) -> Int {
        var zeros = 0
        while try number(1) == 0 { zeros += 1 }
        guard zeros < 32 else { throw .corrupt("parameters of too many bits") }
        return (1 << zeros | (try number(zeros))) - 1
    }
}

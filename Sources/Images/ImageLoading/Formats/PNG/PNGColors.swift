/// The colour space of a PNG, by its chunks.
///
/// If there are several, the standard gives precedence to the most exact: code points (cICP), then
/// a profile (iCCP), then sRGB, then gamma and primaries (gAMA, cHRM).
struct PNGColors {
    private var isSRGB = false
    private var profile: ColorProfile?
    private var coded: ColorProfile?
    private var gamma: Double?
    private var gamut: ColorProfile.Gamut?

    /// The colour space, by all chunks read so far.
    var colors: ColorProfile {
        if let known = coded ?? profile { return known }
        guard !isSRGB, gamma != nil || gamut != nil else { return .sRGB }
        // Programs write 1/2.2 if they mean the curve of sRGB.
        let isUsual = gamma.map { abs($0 - 2.2) < 0.05 } ?? true
        guard !isUsual || (gamut ?? .sRGB) != .sRGB else { return .sRGB }
        return .gamut(gamut ?? .sRGB, gamma: isUsual ? nil : gamma)
    }

    /// Reads a chunk if it describes the colour space.
    mutating func read(_ chunk: PNGChunk, of file: PictureFile) {
        let content = chunk.content
        switch chunk.name {
        case "sRGB": isSRGB = true
        case "iCCP":
            // A name of at most 79 bytes, a zero, and the compression method; there is only one.
            let count = min(81, content.count)
            let head = (try? file.bytes(at: content.lowerBound, count: count)) ?? []
            if let end = head.firstIndex(of: 0), end + 1 < head.count, head[end + 1] == 0 {
                profile = .packedICC(content.dropFirst(end + 2))
            }
        case "gAMA":
            guard let value = numbers(1, at: content, of: file)?[0], value >= 0.1, value <= 10
            else { return }
            gamma = 1 / value
        case "cHRM":
            // With y = 0, a white point has no colour.
            guard let found = numbers(8, at: content, of: file), found[1] > 0 else { return }
            gamut = ColorProfile.Gamut(
                red: [found[2], found[3]], green: [found[4], found[5]], blue: [found[6], found[7]],
                white: [found[0], found[1]])
        case "cICP":
            let code = (try? file.bytes(at: content.lowerBound, count: 4)) ?? []
            guard content.count == 4, code.count == 4, code[2...] == [0, 1] else { return }
            coded = ColorProfile.coded(primaries: Int(code[0]), transfer: Int(code[1]))
        default: break
        }
    }

    private func numbers(
        _ count: Int, at content: Range<Int>, of file: PictureFile
    ) -> [Double]? {
        guard content.count == 4 * count,
            let bytes = try? file.bytes(at: content.lowerBound, count: 4 * count),
            bytes.count == 4 * count
        else { return nil }
        return (0..<count).map { Double(bytes[4 * $0..<4 * $0 + 4].bigEndian) / 100_000 }
    }
}

import ImageLoading

/// The colour space of a picture, from its file.
struct HEIFColor {
    /// The first ICC profile.
    private(set) var profile: [UInt8]?
    /// The code points of ITU-T H.273 for primaries, transfer and matrix, and whether the values
    /// use the full range; a profile is more exact.
    private(set) var code: (primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)?

    /// The colour space for a picture's header.
    var profiled: ColorProfile {
        if let profile { return .iccBytes(profile) }
        return code.flatMap { .coded(primaries: $0.primaries, transfer: $0.transfer) } ?? .sRGB
    }

    /// Reads `colr` boxes.
    init(_ boxes: [Box]) {
        for box in boxes {
            var reader = box.reader
            switch try? reader.name() {
            case "prof", "rICC": profile = profile ?? Array(reader.rest)
            case "nclx":
                guard code == nil, let primaries = try? reader.number(2),
                    let transfer = try? reader.number(2), let matrix = try? reader.number(2),
                    let range = try? reader.number(1)
                else { continue }
                code = (primaries, transfer, matrix, range & 0x80 != 0)
            default: break
            }
        }
    }
}

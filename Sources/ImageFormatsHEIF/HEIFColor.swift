import ImageLoading

/// The meaning of a picture's colours, as its file says.
struct HEIFColor {
    /// The first ICC profile.
    private(set) var profile: [UInt8]?
    /// The numbers of ITU-T H.273 for primaries, transfer and matrix, and whether the values use
    /// their full range; they tell less than a profile.
    private(set) var code: (primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)?

    /// The same as the profile of a picture's header.
    var profiled: ColorProfile {
        if let profile { return .iccBytes(profile) }
        return code.flatMap { .coded(primaries: $0.primaries, transfer: $0.transfer) } ?? .sRGB
    }

    /// Reads boxes `colr`.
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

/// The colour space of a picture, as its file describes it.
public enum ColorProfile: Hashable, Sendable {
    /// sRGB, which also applies if the file states no colour space.
    case sRGB
    /// An ICC profile, in consecutive pieces of the file.
    case icc([Range<Int>])
    /// An ICC profile that is compressed by zlib, in a part of the file.
    case packedICC(Range<Int>)
    /// An ICC profile that has been read.
    case iccBytes([UInt8])
    /// Primaries and white point, and the exponent from values to light; nil for sRGB's curve.
    indirect case gamut(Gamut, gamma: Double?)

    /// The primaries and the white point of a colour space, as chromaticities of CIE 1931.
    public struct Gamut: Hashable, Sendable {
        /// The chromaticities.
        public var red, green, blue, white: SIMD2<Double>

        /// Creates a gamut, by default with the white point of daylight (D65).
        public init(
            red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>,
            white: SIMD2<Double> = [0.3127, 0.3290]
        ) {
            (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
        }

        /// The gamut of sRGB and of high-definition television.
        public static let sRGB = Gamut(red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06])
        /// The gamut of many displays and phones.
        public static let displayP3 = Gamut(
            red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06])
        /// The gamut of ultra-high-definition television.
        public static let rec2020 = Gamut(
            red: [0.708, 0.292], green: [0.17, 0.797], blue: [0.131, 0.046])
    }

    /// Returns the colour space for two code points of ITU-T H.273; nil if it can't be shown as it
    /// is, such as one with a high dynamic range.
    public static func coded(primaries: Int, transfer: Int) -> ColorProfile? {
        let gamuts: [Int: Gamut] = [1: .sRGB, 9: .rec2020, 12: .displayP3]
        guard let gamut = gamuts[primaries] else { return nil }
        switch transfer {
        // The curves of television are meant to look like that of sRGB.
        case 1, 6, 13, 14, 15: return gamut == .sRGB ? .sRGB : .gamut(gamut, gamma: nil)
        case 4: return .gamut(gamut, gamma: 2.2)
        case 8: return .gamut(gamut, gamma: 1)
        default: return nil
        }
    }

    /// The maximum number of bytes in an ICC profile, uncompressed.
    static let maxLength = 4 << 20
}

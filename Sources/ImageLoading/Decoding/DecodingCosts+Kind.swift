extension DecodingCosts {
    /// Pictures whose decoding costs alike.
    enum Kind: CaseIterable {
        case baselineJPEG, progressiveJPEG, png, interlacedPNG, lossyWebP, losslessWebP, gif

        init(_ format: PictureFormat) {
            switch format {
            case .jpeg(progressive: false): self = .baselineJPEG
            case .jpeg(progressive: true): self = .progressiveJPEG
            case .png(interlaced: false): self = .png
            case .png(interlaced: true): self = .interlacedPNG
            case .webp(lossless: false): self = .lossyWebP
            case .webp(lossless: true): self = .losslessWebP
            case .gif: self = .gif
            }
        }

        /// The nanoseconds that a unit took where the first rates were measured.
        var firstRate: Double {
            switch self {
            case .baselineJPEG: 7.5
            case .progressiveJPEG: 31
            case .png, .interlacedPNG: 6.6
            case .lossyWebP: 8.5
            case .losslessWebP: 15
            case .gif: 7.3
            }
        }

        /// How much there is of what decoding is proportional to.
        func units(_ header: PictureHeader, fitting box: PixelSize) -> Double {
            let pixels = Double(header.size.width) * Double(header.size.height)
            switch self {
            case .progressiveJPEG: return Double(header.fileBytes)
            case .baselineJPEG:
                // At full size it takes 1.6 times what it takes at an eighth.
                let eighths = Self.eighths(header.size, filling: header.size.fitted(in: box))
                return Double(header.fileBytes) * (1 + 0.6 * Double(eighths - 1) / 7)
            case .png, .interlacedPNG:
                // A flat picture, as of a screen, takes 2.4 where a photo takes 6.6.
                let raw = pixels * Double(header.channels * header.bytesPerSample)
                let detail = min(1, 4 * Double(header.fileBytes) / max(1, raw))
                return raw * (2.4 + 4.2 * detail) / 6.6
            case .lossyWebP, .losslessWebP, .gif: return pixels
            }
        }

        /// The least number of eighths at which a JPEG fills a size.
        private static func eighths(_ size: PixelSize, filling target: PixelSize) -> Int {
            (1..<8).first { eighths in
                (size.width * eighths + 7) / 8 >= target.width
                    && (size.height * eighths + 7) / 8 >= target.height
            } ?? 8
        }
    }
}

import ImageLoading

/// One encoded picture of each kind that the codecs treat differently.
enum Kind: CaseIterable {
    case baseline, progressive, separate, arithmetic, grey, inks, rgb, rgba, interlaced, deep
    case lossyWebP, alphaWebP, losslessWebP, animatedWebP, gif, interlacedGIF

    func encoded(_ sample: Sample) -> [UInt8] {
        switch self {
        case .baseline: sample.jpeg()
        case .progressive: sample.jpeg(progressive: true)
        case .separate: sample.jpeg(separate: true)
        case .arithmetic: sample.jpeg(arithmetic: true)
        case .grey: sample.greyJPEG()
        case .inks: sample.inkJPEG(ycck: true)
        case .rgb: sample.rgbPNG()
        case .rgba: sample.rgbaPNG()
        case .interlaced: sample.rgbaPNG(interlaced: true)
        case .deep: sample.deepPNG()
        case .lossyWebP: sample.webp()
        case .alphaWebP: sample.webp(hasAlpha: true)
        case .losslessWebP: sample.webp(lossless: true, hasAlpha: true)
        case .animatedWebP:
            webPAnimation(sample.webp(hasAlpha: true), of: sample.size, on: sample.size)
        case .gif: GIF(sample).encoded()
        case .interlacedGIF: GIF(sample, isInterlaced: true).encoded()
        }
    }

    /// How far decoded values may be from those that were stored, in the middle of the quarters, or
    /// anywhere if it's exact.
    var tolerance: Int {
        switch self {
        case .rgb, .rgba, .interlaced, .deep, .gif, .interlacedGIF: 0
        case .losslessWebP: 1
        case .inks: 8
        default: 5
        }
    }

    var hasAlpha: Bool {
        switch self {
        case .rgba, .interlaced, .deep, .alphaWebP, .losslessWebP, .animatedWebP: true
        default: false
        }
    }

    /// What the header says of its pixels: the format, the channels and the bytes of each value.
    var layout: (format: PictureFormat, channels: Int, bytes: Int) {
        switch self {
        case .baseline, .separate: (.jpeg, 3, 1)
        case .arithmetic: (.arithmeticJPEG, 3, 1)
        case .progressive: (.progressiveJPEG, 3, 1)
        case .grey: (.jpeg, 1, 1)
        case .inks: (.jpeg, 4, 1)
        case .rgb: (.png, 3, 1)
        case .rgba: (.png, 4, 1)
        case .interlaced: (.interlacedPNG, 4, 1)
        case .deep: (.png, 4, 2)
        case .lossyWebP: (.webP, 3, 1)
        case .alphaWebP, .animatedWebP: (.webP, 4, 1)
        case .losslessWebP: (.losslessWebP, 4, 1)
        case .gif, .interlacedGIF: (.gif, 1, 1)
        }
    }
}

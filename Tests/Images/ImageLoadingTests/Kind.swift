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
}

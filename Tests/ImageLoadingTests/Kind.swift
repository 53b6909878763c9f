/// One encoded picture of each kind that the codecs treat differently.
enum Kind: CaseIterable {
    case baseline, progressive, arithmetic, grey, inks, rgb, rgba, interlaced, deep

    func encoded(_ sample: Sample) -> [UInt8] {
        switch self {
        case .baseline: sample.jpeg()
        case .progressive: sample.jpeg(progressive: true)
        case .arithmetic: sample.jpeg(arithmetic: true)
        case .grey: sample.greyJPEG()
        case .inks: sample.inkJPEG(ycck: true)
        case .rgb: sample.rgbPNG()
        case .rgba: sample.rgbaPNG()
        case .interlaced: sample.rgbaPNG(interlaced: true)
        case .deep: sample.deepPNG()
        }
    }
}

internal import ImageFormatsHEIF
public import ImageLoading

extension PictureDecoders {
    /// The picture formats that the gallery shows.
    public static let gallery = PictureDecoders.standard + [HEIFDecoder.self]
}

internal import ImageFormatsHEIF
public import ImageLoading

extension PictureDecoders {
    /// The kinds of pictures that the gallery shows.
    public static let gallery = PictureDecoders.standard + [HEIFDecoder.self]
}

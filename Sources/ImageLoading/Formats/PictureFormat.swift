/// What kind of file a picture is stored in, as far as it matters for the cost of decoding.
public enum PictureFormat: Hashable, Sendable {
    /// A JPEG; a progressive one comes in many passes over the whole picture.
    case jpeg(progressive: Bool)
    /// A PNG; an interlaced one comes in seven passes over the whole picture.
    case png(interlaced: Bool)
    /// A WebP: like one picture of a film, or lossless; of an animation the first picture.
    case webp(lossless: Bool)
    /// A GIF: of an animation the first picture.
    case gif
}

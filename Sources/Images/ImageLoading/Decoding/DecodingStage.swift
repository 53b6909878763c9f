/// The stage of a decoder, with what it holds there.
enum DecodingStage: ~Copyable {
    case unopened(PictureInput)
    case opened(PictureFile)
    /// Decoding of the embedded thumbnail, which replaces the picture or is shown before it.
    case decodingThumbnail(FrameDecoder, OpenedPicture, isPreview: Bool)
    case decoding(FrameDecoder, OpenedPicture)
    /// Rotation of a preview to upright.
    case turningPreview(OrientationTransform, FrameDecoder, OpenedPicture)
    case turning(OrientationTransform)
    case ended
}

/// The stage of a decoder, with what it holds there.
enum DecodingStage: ~Copyable {
    case unopened(PictureInput)
    case opened(PictureFile)
    /// Decoding of the embedded thumbnail.
    case decodingThumbnail(FrameDecoder, OpenedPicture, ThumbnailUse)
    case decoding(FrameDecoder, OpenedPicture)
    /// Rotation of a preview to upright.
    case turningPreview(OrientationTransform, FrameDecoder, OpenedPicture)
    case turning(OrientationTransform)
    case ended
}

/// The purpose for which an embedded thumbnail is decoded.
enum ThumbnailUse {
    /// It is as good as the picture, in the size that is shown.
    case replacement
    /// It is shown before the picture, which is still arriving.
    case preview
    /// It is shown because of this error in the picture.
    case substitute(PictureError.Reason)
}

/// How far a decoder has come, with what it holds there.
enum DecodingStage: ~Copyable {
    case unopened(PictureInput)
    case opened(PictureFile)
    /// The thumbnail in the file, which stands for the picture or is shown before it.
    case decodingThumbnail(FrameDecoder, OpenedPicture, isPreview: Bool)
    case decoding(FrameDecoder, OpenedPicture)
    /// Something to be shown early is being turned upright.
    case turningPreview(PictureTurner, FrameDecoder, OpenedPicture)
    case turning(PictureTurner)
    case ended
}

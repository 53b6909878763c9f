/// How far a decoder has come, with what it holds there.
enum DecodingStage: ~Copyable {
    case unopened(ImageInput)
    case opened(ImageFile)
    case reading(ImageFile, FileContents, ImageHeader)
    case decoding(FrameDecoder)
    case ended
}

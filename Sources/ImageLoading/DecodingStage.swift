/// How far a decoder has come, with what it holds there.
enum DecodingStage: ~Copyable {
    case unopened(ImageInput)
    case opened(ImageFile)
    case decoding(FrameDecoder)
    case ended
}

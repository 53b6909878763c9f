/// How far a decoder has come, with what it holds there.
enum DecodingStage: ~Copyable {
    case unopened
    case opened(ImageFile)
    case reading(ImageFile, FileContents, ImageHeader)
    case read(FileContents, ImageHeader)
    case parsing(Codec)
    case parsed(Codec, target: PixelSize)
    case decoding(Codec, RowResizer)
    case ended
}

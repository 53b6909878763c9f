/// Decodes one picture of a file to the size at which it will be shown, in steps.
///
/// The picture is as stored: nothing is turned upright here.
struct FrameDecoder: ~Copyable {
    /// How far it has come, with what it holds there.
    private enum Stage: ~Copyable {
        case waiting
        case parsing(Codec)
        case parsed(Codec, target: PixelSize)
        case decoding(Codec, RowResizer)
        case decodingGIF(GIFDecoder, RowResizer)
        case ended
    }

    /// A tenth or two of a millisecond, as pixels.
    private static let grain = 8192
    /// What a row costs besides its pixels, as pixels.
    private static let row = 64

    private let file: PictureFile
    private let range: Range<Int>
    private let header: PictureHeader
    private let box: PixelSize
    private let limits: PictureLimits
    private let givesPreviews: Bool
    private var stage: Stage

    /// A decoder of the picture that a part of a file holds.
    ///
    /// - Parameters:
    ///   - file: The file, which it holds on to.
    ///   - range: Where in the file the picture's own format begins and ends.
    ///   - header: What the picture says of itself.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: What the picture may cost.
    ///   - givesPreviews: Whether what can be shown early is worth a step `refined`.
    /// - Throws: That the picture is beyond the limits.
    init(
        _ file: PictureFile, range: Range<Int>, header: PictureHeader, fitting box: PixelSize,
        limits: PictureLimits, givesPreviews: Bool
    ) throws(PictureError.Reason) {
        self.file = file
        self.range = range
        self.header = header
        self.box = box
        self.limits = limits
        self.givesPreviews = givesPreviews
        stage = .waiting
        try limits.check(header.size)
    }

    /// Does the next small part of the work.
    mutating func step() throws(PictureError.Reason) -> PictureJob.Step {
        // What throws leaves `ended` behind, and everything freed.
        switch exchange(&stage, with: .ended) {
        case .waiting where header.format == .gif:
            let decoder = try GIFDecoder(file, range: range, limits: limits)
            let size = decoder.frame.canvas
            stage = .decodingGIF(decoder, RowResizer(from: size, to: size.fitted(in: box)))
        case .waiting:
            stage = .parsing(try Codec(file, range: range, header: header, limits: limits))
        case .parsing(var codec):
            let isParsed = try codec.readHeader()
            let target = codec.storedSize.fitted(in: box)
            stage = isParsed ? .parsed(codec, target: target) : .parsing(codec)
        case .parsed(var codec, let target):
            let isReady = try codec.start(toFill: target, previews: givesPreviews)
            let resizer = RowResizer(
                from: codec.size, to: target, channels: codec.channels,
                interpolates: codec.size != codec.storedSize)
            stage = isReady ? .decoding(codec, resizer) : .parsed(codec, target: target)
        case .decoding(var codec, var resizer):
            try decodeGrain(&codec, into: &resizer)
            guard resizer.isComplete else {
                stage = .decoding(codec, resizer)
                return .more
            }
            guard codec.isPreview else { return .done(resizer.picture()) }
            stage = .decoding(codec, resizer.restarted())
            return .refined(resizer.picture())
        case .decodingGIF(var decoder, var resizer):
            try decodeGrain(&decoder, into: &resizer)
            if resizer.isComplete { return .done(resizer.picture()) }
            stage = .decodingGIF(decoder, resizer)
        case .ended:
            preconditionFailure("a picture's decoder drops what has ended")
        }
        return .more
    }

    /// Decodes some rows, up to the first that reads on in the file.
    ///
    /// A row may be packed in thousands of times its bytes, so that rows alone say little of work.
    private func decodeGrain<Reader: RowReader & ~Copyable>(
        _ reader: inout Reader, into resizer: inout RowResizer
    ) throws(PictureError.Reason) {
        var pixels = 0
        let reads = file.reads
        while pixels < Self.grain, file.reads == reads, !resizer.isComplete {
            guard try reader.readRow(into: &resizer) else { return }
            pixels += reader.pixelsPerRow + Self.row
        }
    }
}

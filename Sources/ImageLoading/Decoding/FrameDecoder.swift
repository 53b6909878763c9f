/// Decodes one picture of a file to the size at which it will be shown, in steps.
///
/// The picture is as stored: nothing is turned upright here.
struct FrameDecoder: ~Copyable {
    /// The progress of the work, with what it holds there.
    private enum Stage: ~Copyable {
        case waiting
        case preparing(any PictureDecoder)
        case decoding(any PictureDecoder, RowResizer, pixelsPerRow: Int)
        case ended
    }

    /// A tenth or two of a millisecond, as pixels.
    private static let grain = 8192
    /// The cost of a row besides its pixels, as pixels.
    private static let row = 64

    private let picture: EncodedPicture
    private let decoder: any PictureDecoder.Type
    private let box: PixelSize
    private var stage = Stage.waiting
    private var converter: ColorConverter?

    /// A decoder of the picture that a part of a file holds.
    ///
    /// - Parameters:
    ///   - picture: The picture, whose file it holds on to.
    ///   - decoder: The decoder of the picture's format.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    /// - Throws: That the picture is beyond the limits.
    init(
        _ picture: EncodedPicture, with decoder: any PictureDecoder.Type, fitting box: PixelSize
    ) throws(PictureError.Reason) {
        self.picture = picture
        self.decoder = decoder
        self.box = box
        try picture.limits.check(picture.header.size)
    }

    /// Does the next small part of the work.
    mutating func step() throws(PictureError.Reason) -> PictureJob.Step {
        // What throws leaves `ended` behind, and everything freed.
        switch exchange(&stage, with: .ended) {
        case .waiting: stage = .preparing(try decoder.init(picture))
        case .preparing(let decoder):
            guard let rows = try decoder.prepare(for: box) else {
                stage = .preparing(decoder)
                return .more
            }
            let resizer = RowResizer(
                from: rows.size, to: rows.stored.fitted(in: box), channels: rows.channels,
                interpolates: rows.size != rows.stored, isDeep: rows.areDeep)
            converter = ColorConverter(picture.header, rows)
            stage = .decoding(decoder, resizer, pixelsPerRow: rows.pixelsPerRow)
        case .decoding(let decoder, var resizer, let pixelsPerRow):
            if !resizer.isComplete { try decodeGrain(decoder, pixelsPerRow, into: &resizer) }
            guard resizer.isComplete, let picture = converted(resizer) else {
                stage = .decoding(decoder, resizer, pixelsPerRow: pixelsPerRow)
                return .more
            }
            guard decoder.isPreview else { return .done(picture) }
            stage = .decoding(decoder, resizer.restarted(), pixelsPerRow: pixelsPerRow)
            return .refined(picture)
        case .ended:
            preconditionFailure("a picture's decoder drops what has ended")
        }
        return .more
    }

    /// Converts a part of a complete picture to sRGB, and returns it after the last.
    private func converted(_ resizer: RowResizer) -> Picture? {
        guard let converter else { return resizer.picture() }
        return converter.step(resizer, of: picture.file)
    }

    /// Decodes some rows, up to the first that reads on in the file.
    ///
    /// A row may be packed in thousands of times its bytes, so that rows alone say little of work.
    private func decodeGrain(
        _ decoder: any PictureDecoder, _ pixelsPerRow: Int, into resizer: inout RowResizer
    ) throws(PictureError.Reason) {
        var pixels = 0
        let reads = picture.file.reads
        while pixels < Self.grain, picture.file.reads == reads, !resizer.isComplete {
            guard try decoder.readRow(into: &resizer) else { return }
            pixels += pixelsPerRow + Self.row
        }
    }
}

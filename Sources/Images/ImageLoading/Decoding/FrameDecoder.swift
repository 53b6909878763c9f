internal import LullLibC

/// A decoder of one picture in a file, to the size at which it is shown, in steps.
///
/// The picture has its stored orientation; it isn't rotated upright here.
struct FrameDecoder: ~Copyable {
    /// The stage of the work, with what it holds there.
    private enum Stage: ~Copyable {
        case waiting
        case preparing(any PictureDecoder)
        case decoding(any PictureDecoder, RowResizer, pixelsPerRow: Int)
        case ended
    }

    /// The number of pixels in a step, which takes 0.1 to 0.2 ms.
    private static let grain = 8192
    /// The overhead of a row, as a number of pixels of the same cost.
    private static let row = 64

    private let picture: EncodedPicture
    private let decoder: any PictureDecoder.Type
    private let targetSize: PixelSize
    private var stage = Stage.waiting
    private var converter: ColorConverter?

    /// Creates a decoder of a picture in a part of a file.
    ///
    /// - Parameters:
    ///   - picture: The picture, whose file it retains.
    ///   - decoder: The decoder of the picture's format.
    ///   - targetSize: The size that the picture is scaled down to fit; it's never scaled up.
    /// - Throws: An error if the picture exceeds the limits.
    init(
        _ picture: EncodedPicture, with decoder: any PictureDecoder.Type,
        fitting targetSize: PixelSize
    ) throws(PictureError.Reason) {
        self.picture = picture
        self.decoder = decoder
        self.targetSize = targetSize
        try picture.limits.check(picture.header.size)
    }

    /// Performs the next small part of the work.
    mutating func step() throws(PictureError.Reason) -> PictureJob.Step {
        // After an error, the stage is `ended`, and everything is freed.
        switch exchange(&stage, with: .ended) {
        case .waiting: stage = .preparing(try decoder.init(picture))
        case .preparing(let decoder):
            guard let rows = try decoder.prepare(for: targetSize) else {
                stage = .preparing(decoder)
                return .more
            }
            let resizer = RowResizer(
                from: rows.size, to: rows.stored.fitted(in: targetSize), channels: rows.channels,
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

    /// Converts a part of a complete picture to sRGB; returns the picture after the last part.
    private func converted(_ resizer: RowResizer) -> Picture? {
        guard let converter else { return resizer.picture() }
        return converter.step(resizer, of: picture.file)
    }

    /// Decodes some rows, up to the first that reads from the file.
    ///
    /// A row may be stored in thousands of times its bytes, so pixels alone don't bound the work.
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

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
        /// Appending of transparent pixels for the rows that a damaged file doesn't have.
        case filling([UInt8], PixelSize)
        case ended
    }

    /// The number of pixels in a step, which takes 0.1 to 0.2 ms.
    private static let grain = 8192
    /// The overhead of a row, as a number of pixels of the same cost.
    private static let row = 64
    /// The number of bytes that are filled in a step.
    private static let filling = 1 << 18
    /// Of so many rows of a damaged picture, one must be there for the picture to be shown.
    private static let recognizable = 10

    private let picture: EncodedPicture
    private let decoder: any PictureDecoder.Type
    private let targetSize: PixelSize
    private var stage = Stage.waiting
    private var converter: ColorConverter?
    /// The damage to the picture; the error if that ended it early.
    private var damage: PictureError.Reason?

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
            if !resizer.isComplete {
                do throws(PictureError.Reason) {
                    try decodeGrain(decoder, pixelsPerRow, into: &resizer)
                } catch {
                    guard error.isOfFile,
                        Self.recognizable * resizer.rowsTaken >= resizer.source.height
                    else { throw error }
                    damage = error
                    resizer.end()
                }
            }
            guard resizer.isComplete, let pixels = converted(resizer) else {
                stage = .decoding(decoder, resizer, pixelsPerRow: pixelsPerRow)
                return .more
            }
            guard damage == nil, decoder.isPreview else {
                damage = damage ?? decoder.damage
                // Nothing would be seen.
                if let damage, pixels.allSatisfy({ $0 == 0 }) { throw damage }
                return fill(pixels, resizer.target)
            }
            stage = .decoding(decoder, resizer.restarted(), pixelsPerRow: pixelsPerRow)
            return .refined(Picture(size: resizer.target, pixels: pixels))
        case .filling(let pixels, let size): return fill(pixels, size)
        case .ended:
            preconditionFailure("a picture's decoder drops what has ended")
        }
        return .more
    }

    /// Fills a part of the missing rows; returns the picture after the last part.
    private mutating func fill(_ pixels: consuming [UInt8], _ size: PixelSize) -> PictureJob.Step {
        let all = 4 * size.width * size.height
        let count = min(all - pixels.count, Self.filling)
        if count > 0 { pixels.append(contentsOf: repeatElement(0, count: count)) }
        if pixels.count == all { return .done(Picture(size: size, pixels: pixels, damage: damage)) }
        stage = .filling(pixels, size)
        return .more
    }

    /// Converts a part of a complete picture to sRGB; returns its pixels after the last part.
    private func converted(_ resizer: RowResizer) -> [UInt8]? {
        guard let converter else { return resizer.pixels }
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

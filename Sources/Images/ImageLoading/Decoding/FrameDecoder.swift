internal import LullLibC

/// A decoder of one picture in a file, to the size at which it is shown and upright, in steps.
struct FrameDecoder: ~Copyable {
    /// A decoder that gives rows, and the resizer that takes them.
    private struct Rows: ~Copyable {
        let decoder: any PictureDecoder
        var resizer: RowResizer
        let pixelsPerRow: Int
    }

    /// The stage of the work, with what it holds there.
    private enum Stage: ~Copyable {
        case waiting
        case preparing(any PictureDecoder)
        case decoding(Rows)
        /// Appending of transparent pixels for the rows that a damaged file doesn't have.
        case filling(PictureBuffer, PixelSize)
        /// Rotation to upright: of a preview, after which there are more rows, or of the picture.
        case turning(OrientationTransform, Rows?)
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
    private let orientation: PictureOrientation
    private var stage = Stage.waiting
    private var converter: ColorConverter?
    /// The damage to the picture; the error if that ended it early.
    private var damage: PictureError.Reason?

    /// Creates a decoder of a picture, whose file it retains, with the decoder of its format.
    ///
    /// The picture, as stored, is scaled down to fit the target size; it's never scaled up.
    init(
        _ picture: EncodedPicture, with decoder: any PictureDecoder.Type,
        fitting targetSize: PixelSize, _ orientation: PictureOrientation
    ) throws(PictureError.Reason) {
        self.picture = picture
        self.decoder = decoder
        self.targetSize = targetSize
        self.orientation = orientation
        try picture.limits.check(picture.header.size)
    }

    /// Performs the next small part of the work.
    mutating func step() throws(PictureError.Reason) -> PictureStep<Picture> {
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
            stage = .decoding(
                Rows(decoder: decoder, resizer: resizer, pixelsPerRow: rows.pixelsPerRow))
        case .decoding(let rows): return try decode(rows)
        case .filling(let pixels, let size): return fill(pixels, size)
        case .turning(let transform, let rest): return turn(transform, rest)
        case .ended:
            preconditionFailure("a picture's decoder drops what has ended")
        }
        return .more
    }

    private mutating func decode(
        _ rows: consuming Rows
    ) throws(PictureError.Reason) -> PictureStep<Picture> {
        if !rows.resizer.isComplete {
            do throws(PictureError.Reason) {
                try decodeGrain(&rows)
            } catch {
                guard error.isOfFile,
                    Self.recognizable * rows.resizer.rowsTaken >= rows.resizer.source.height
                else { throw error }
                damage = error
                rows.resizer.end()
            }
        }
        guard rows.resizer.isComplete, let pixels = converted(rows.resizer) else {
            stage = .decoding(rows)
            return .more
        }
        let size = rows.resizer.target
        if damage == nil, rows.decoder.isPreview {
            rows.resizer = rows.resizer.restarted()
            return turned(Picture(size: size, pixels: pixels), before: rows)
        }
        damage = damage ?? rows.decoder.damage
        // Nothing would be seen.
        if let damage, pixels.allSatisfy({ $0 == 0 }) { throw damage }
        return fill(pixels, size)
    }

    /// Fills a part of the missing rows; begins to rotate the picture after the last part.
    private mutating func fill(
        _ pixels: consuming PictureBuffer, _ size: PixelSize
    ) -> PictureStep<Picture> {
        let all = 4 * size.width * size.height
        let count = min(all - pixels.count, Self.filling)
        pixels.appendZeros(count)
        if pixels.count == all {
            return turned(Picture(size: size, pixels: pixels, damage: damage), before: nil)
        }
        stage = .filling(pixels, size)
        return .more
    }

    /// Returns a picture or a preview if it's upright, or else begins to rotate it.
    private mutating func turned(
        _ picture: Picture, before rest: consuming Rows?
    ) -> PictureStep<Picture> {
        guard orientation == .upright else {
            return turn(OrientationTransform(picture, orientation: orientation), rest)
        }
        return given(picture, before: rest)
    }

    private mutating func turn(
        _ transform: consuming OrientationTransform, _ rest: consuming Rows?
    ) -> PictureStep<Picture> {
        transform.step()
        if transform.isComplete { return given(transform.picture(), before: rest) }
        stage = .turning(transform, rest)
        return .more
    }

    private mutating func given(
        _ picture: Picture, before rest: consuming Rows?
    ) -> PictureStep<Picture> {
        guard let rest else { return .done(picture) }
        stage = .decoding(rest)
        return .refined(picture)
    }

    /// Converts a part of a complete picture to sRGB; returns its pixels after the last part.
    private func converted(_ resizer: RowResizer) -> PictureBuffer? {
        guard let converter else { return resizer.pixels }
        return converter.step(resizer, of: picture.file)
    }

    /// Decodes some rows, up to the first that reads from the file.
    ///
    /// A row may be stored in thousands of times its bytes, so pixels alone don't bound the work.
    private func decodeGrain(_ rows: inout Rows) throws(PictureError.Reason) {
        var pixels = 0
        let reads = picture.file.reads
        while pixels < Self.grain, picture.file.reads == reads, !rows.resizer.isComplete {
            guard try rows.decoder.readRow(into: &rows.resizer) else { return }
            pixels += rows.pixelsPerRow + Self.row
        }
    }
}

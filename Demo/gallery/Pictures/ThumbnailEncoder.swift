internal import ImageLoading

/// An encoder that makes a file from a picture, no larger than a thumbnail may be, in steps.
///
/// It may contain a preview. Opaque pictures become JPEGs. Others become PNGs, or if those get too
/// large, JPEGs on white. A JPEG that gets too large is encoded again at lower quality, four times at
/// most.
final class ThumbnailEncoder: SteppedWork {
    typealias Output = Thumbnail
    typealias Failure = PictureError.Reason

    /// The stage of the work, with its state.
    private enum Stage: ~Copyable {
        case looking(row: Int)
        case previewing(isOpaque: Bool)
        case packing(PNGEncoder)
        case writing(JPEGEncoder, attempt: Int)
        case done(Thumbnail)
        case ended
    }

    /// The qualities, in order; with the last even noise takes hardly more than a bit for each
    /// pixel.
    static let qualities = [82, 60, 35, 15, 3]
    /// The number of pixels examined in a step: less than a tenth of a millisecond's work.
    private static let grain = 1 << 15

    private let picture: Picture
    private let limit: Int
    private let hasPreview: Bool
    private var preview: String?
    private var bytes: [UInt8] = []
    private var stage = Stage.looking(row: 0)

    init(_ picture: Picture, limit: Int = Thumbnail.byteLimit, hasPreview: Bool = false) {
        self.picture = picture
        self.limit = limit
        self.hasPreview = hasPreview
    }

    /// Performs the next step.
    ///
    /// - Returns: The thumbnail after the last step, and at each later call.
    /// - Throws: `outOfMemory`; `tooLarge` if even the lowest quality was, which can't happen at a
    ///   thumbnail's size.
    func advance() throws(PictureError.Reason) -> Thumbnail? {
        // If a step throws, the stage remains `ended`.
        switch exchange(&stage, with: .ended) {
        case .looking(let row): try look(from: row)
        case .previewing(let isOpaque):
            preview = try ThumbnailPreview.make(of: picture, isOpaque: isOpaque)
            try begin(isOpaque: isOpaque)
        case .packing(var encoder):
            let isLast = encoder.step(into: &bytes)
            if bytes.count > limit {
                try write(attempt: 0)
            } else {
                stage =
                    isLast
                    ? .done(Thumbnail(bytes: bytes, damage: picture.damage)) : .packing(encoder)
            }
        case .writing(var encoder, let attempt):
            let isLast = try encoder.step(into: &bytes)
            if bytes.count > limit {
                try write(attempt: attempt + 1)
            } else {
                if isLast, let preview {
                    ThumbnailPreview.insert(preview, into: &bytes, limit: limit)
                }
                stage =
                    isLast
                    ? .done(Thumbnail(bytes: bytes, damage: picture.damage))
                    : .writing(encoder, attempt: attempt)
            }
        case .done(let thumbnail):
            stage = .done(thumbnail)
            return thumbnail
        case .ended: try write(attempt: Self.qualities.count)  // fails again
        }
        return nil
    }

    private func look(from row: Int) throws(PictureError.Reason) {
        let (width, height) = (picture.size.width, picture.size.height)
        let end = min(height, row + max(1, Self.grain / width))
        let isOpaque = picture.isOpaque(inRows: row..<end)
        if isOpaque, end < height {
            stage = .looking(row: end)
        } else if hasPreview {
            stage = .previewing(isOpaque: isOpaque)
        } else {
            try begin(isOpaque: isOpaque)
        }
    }

    private func begin(isOpaque: Bool) throws(PictureError.Reason) {
        if isOpaque {
            try write(attempt: 0)
        } else {
            stage = .packing(try PNGEncoder(picture, texts: ThumbnailPreview.texts(preview)))
        }
    }

    private func write(attempt: Int) throws(PictureError.Reason) {
        guard attempt < Self.qualities.count else {
            throw .tooLarge(.bytes, found: bytes.count, limit: limit)
        }
        bytes.removeAll(keepingCapacity: true)
        stage = .writing(
            try JPEGEncoder(picture, quality: Self.qualities[attempt]), attempt: attempt)
    }
}

/// Decodes one picture file to the size at which it will be shown, in steps.
///
/// A step is far below a millisecond on a desktop processor, so that a main loop can decode while
/// it stays ready for events. All steps together cost what decoding in one go costs.
///
///     let decoder = ImageDecoder(path: "a.jpg", fitting: PixelSize(width: 256, height: 256))
///     while slot.hasTimeLeft {
///         if case .done(let picture) = try decoder.step() { return show(picture) }
///     }
///
/// To cancel, drop the decoder: it frees all that it holds. What a file may cost is bounded by
/// its `ImageLimits`; what is wrong with it is thrown, and ends the decoder.
///
/// Steps that may not be small: one row of a PNG costs by its width (3 ms at 65,535 pixels of
/// 16-bit RGBA), and what is freed at the end costs by its size (3 ms for the coefficients of a
/// progressive JPEG of 12 megapixels, or for a file of 50 MB).
public final class ImageDecoder {
    /// What a step has led to.
    public enum Step: Sendable {
        /// There is more to do.
        case more
        /// The picture is there, and the decoder has done its work.
        case done(Picture)
    }

    private let path: String
    private let box: PixelSize
    private let limits: ImageLimits
    private var stage = DecodingStage.unopened

    /// A decoder for a file; it does not touch the file before the first step.
    ///
    /// - Parameters:
    ///   - path: The file. What it is, is told by its content, not by its name.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: What the file may cost.
    public init(path: String, fitting box: PixelSize, limits: ImageLimits = ImageLimits()) {
        self.path = path
        self.box = box
        self.limits = limits
    }

    /// Does the next small part of the work.
    ///
    /// - Returns: The picture, or that there is more to do.
    /// - Throws: Why there will be no picture. The decoder takes no step after this.
    public func step() throws(ImageError) -> Step {
        do throws(ImageError.Reason) {
            return try advance()
        } catch {
            throw ImageError(file: path, reason: error)
        }
    }

    /// Does all that is left of the work in one go.
    ///
    /// - Returns: The same picture that the steps would have led to.
    /// - Throws: Why there is no picture.
    public func decode() throws(ImageError) -> Picture {
        while true {
            if case .done(let picture) = try step() { return picture }
        }
    }

    private func advance() throws(ImageError.Reason) -> Step {
        // What throws leaves `ended` behind, and everything freed.
        switch exchange(&stage, with: .ended) {
        case .unopened:
            stage = .opened(try ImageFile(path: path, limits: limits))
        case .opened(let file):
            let header = try ImageHeader(of: file, limits: limits)
            let contents = try FileContents(capacity: file.byteCount)
            stage = .reading(file, contents, header)
        case .reading(let file, var contents, let header):
            let isMore = try contents.readPiece(of: file)
            stage = isMore ? .reading(file, contents, header) : .read(contents, header)
        case .read(let contents, let header):
            stage = .parsing(try Codec(contents, header: header, limits: limits))
        case .parsing(var codec):
            let isParsed = try codec.readHeader()
            let target = codec.storedSize.fitted(in: box)
            stage = isParsed ? .parsed(codec, target: target) : .parsing(codec)
        case .parsed(var codec, let target):
            let isReady = try codec.start(toFill: target)
            let resizer = RowResizer(from: codec.size, to: target)
            stage = isReady ? .decoding(codec, resizer) : .parsed(codec, target: target)
        case .decoding(var codec, var resizer):
            try decodeGrain(&codec, into: &resizer)
            if resizer.isComplete { return .done(resizer.picture()) }
            stage = .decoding(codec, resizer)
        case .ended:
            preconditionFailure("a decoder takes no step after it is done or has failed")
        }
        return .more
    }

    /// Decodes rows up to about a tenth of a millisecond's worth of pixels.
    private func decodeGrain(
        _ codec: inout Codec, into resizer: inout RowResizer
    ) throws(ImageError.Reason) {
        var pixels = 0
        while pixels < 4096, !resizer.isComplete {
            guard try codec.readRow(into: &resizer) else { return }
            pixels += codec.pixelsPerRow
        }
    }
}

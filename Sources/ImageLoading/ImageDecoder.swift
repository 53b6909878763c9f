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
        /// There is more to do, but this much can be shown until it is done.
        case refined(Picture)
        /// The picture is there, and the decoder has done its work.
        case done(Picture)
    }

    private let name: String
    private let box: PixelSize
    private let limits: ImageLimits
    private var stage: DecodingStage

    /// A decoder for a file; it does not touch the file before the first step.
    ///
    /// - Parameters:
    ///   - path: The file. What it is, is told by its content, not by its name.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: What the file may cost.
    public convenience init(
        path: String, fitting box: PixelSize, limits: ImageLimits = ImageLimits()
    ) {
        self.init(.path(path), named: path, fitting: box, limits: limits)
    }

    /// A decoder for a file that is open for reading; its position is neither used nor moved.
    ///
    /// - Parameters:
    ///   - descriptor: The file. The caller closes it, when the decoder is done or was dropped.
    ///   - name: What errors call it.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: What the file may cost.
    public convenience init(
        descriptor: Int32, named name: String, fitting box: PixelSize,
        limits: ImageLimits = ImageLimits()
    ) {
        self.init(.descriptor(descriptor), named: name, fitting: box, limits: limits)
    }

    /// A decoder for bytes that were fetched from elsewhere.
    ///
    /// - Parameters:
    ///   - bytes: All of the file.
    ///   - name: What errors call it.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: What the file may cost.
    public convenience init(
        bytes: [UInt8], named name: String, fitting box: PixelSize,
        limits: ImageLimits = ImageLimits()
    ) {
        self.init(.bytes(bytes), named: name, fitting: box, limits: limits)
    }

    private init(
        _ input: ImageInput, named name: String, fitting box: PixelSize, limits: ImageLimits
    ) {
        self.name = name
        self.box = box
        self.limits = limits
        stage = .unopened(input)
    }

    /// Does the next small part of the work.
    ///
    /// - Returns: The picture, or that there is more to do.
    /// - Throws: Why there will be no picture. The decoder takes no step after this.
    public func step() throws(ImageError) -> Step {
        do throws(ImageError.Reason) {
            return try advance()
        } catch {
            throw ImageError(file: name, reason: error)
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
        case .unopened(let input):
            stage = .opened(try ImageFile(input, limits: limits))
        case .opened(let file):
            let header = try ImageHeader(of: file, limits: limits)
            let frame = try FrameDecoder(
                file, range: 0..<file.byteCount, header: header, fitting: box, limits: limits,
                givesPreviews: true)
            stage = .decoding(frame)
        case .decoding(var frame):
            let step = try frame.step()
            if case .done = step { return step }
            stage = .decoding(frame)
            return step
        case .ended:
            preconditionFailure("a decoder takes no step after it is done or has failed")
        }
        return .more
    }
}

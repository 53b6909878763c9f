internal import LullLibC

/// A job that decodes a picture file to the size at which it is shown, in steps.
///
/// A step takes far less than a millisecond on a desktop processor, so that a main loop stays
/// responsive while it decodes. All steps together cost as much as decoding in one go.
///
/// ```swift
/// let decoder = PictureJob(path: "a.jpg", fitting: PixelSize(width: 256, height: 256))
/// while !slot.isOver {
///     if case .done(let picture) = try decoder.step() { return show(picture) }
/// }
/// ```
///
/// An embedded thumbnail is decoded in place of its picture if it is large enough and has the picture's
/// shape, at a hundredth of the cost.
///
/// To cancel, release the decoder: it frees all that it holds. `PictureLimits` bound the cost of a
/// file. An error ends the decoder.
///
/// Some steps may take longer:
/// - The time for a row of a PNG depends on its width: 3 ms at 65,535 pixels of 16-bit RGBA.
/// - The time to free memory at the end depends on its size: 3 ms for the coefficients of a
///   progressive JPEG of 12 megapixels, or for the pixels of a picture rotated at such a size.
/// - A plain lossy WebP may be decoded in one step: 9 ms at 12 megapixels.
/// - An ICC profile with tables, such as that of a CMYK JPEG for print, takes up to 4 ms to open.
///   The last eight stay open.
public final class PictureJob {
    /// The result of a step.
    public enum Step: Sendable {
        /// More steps are needed.
        case more
        /// More steps are needed, once more bytes have arrived.
        case waiting
        /// More steps are needed; this preview can be shown meanwhile.
        case refined(Picture)
        /// The finished picture; no more steps are needed.
        case done(Picture)
    }

    /// The name of the file in errors.
    let name: String
    private var targetSize: PixelSize
    private let decodingSize: ((PictureHeader) -> PixelSize)?
    private let limits: PictureLimits
    private let options: Options
    private var stage: DecodingStage
    private var meter: StepMeter
    private(set) var file: PictureFile?
    /// The result, once the job has ended.
    private var result: Result<Picture, PictureError>?
    /// The header of the file, once a step has read it.
    public private(set) var header: PictureHeader?
    /// The source of the pixels; final when the picture is done.
    ///
    /// If the thumbnail turns out to be damaged, the picture is decoded instead.
    public private(set) var source = Source.picture
    /// The processor time that all steps so far have taken.
    public var cost: Duration { meter.sum }

    /// Creates a decoder for a file; it does not access the file before the first step.
    ///
    /// - Parameters:
    ///   - path: The file. Its format is detected by its content, not by its name.
    ///   - targetSize: The size that the picture is scaled down to fit; it's never scaled up.
    ///   - limits: The limits on the cost of decoding the file.
    ///   - options: The options of the job.
    public convenience init(
        path: String, fitting targetSize: PixelSize, limits: PictureLimits = PictureLimits(),
        options: Options = Options()
    ) {
        self.init(.path(path), named: path, fitting: targetSize, limits: limits, options: options)
    }

    /// Creates a decoder for a file that is open for reading; its position is not used or changed.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - name: The name of the file in errors.
    ///   - targetSize: The size that the picture is scaled down to fit; it's never scaled up.
    ///   - limits: The limits on the cost of decoding the file.
    ///   - options: The options of the job.
    public convenience init(
        opened file: OpenedFile, named name: String, fitting targetSize: PixelSize,
        limits: PictureLimits = PictureLimits(), options: Options = Options()
    ) {
        self.init(
            .opened { file }, named: name, fitting: targetSize, limits: limits, options: options)
    }

    /// Creates a decoder for bytes that were fetched from elsewhere.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the file.
    ///   - name: The name of the file in errors.
    ///   - targetSize: The size that the picture is scaled down to fit; it's never scaled up.
    ///   - limits: The limits on the cost of decoding the file.
    ///   - options: The options of the job.
    public convenience init(
        bytes: [UInt8], named name: String, fitting targetSize: PixelSize,
        limits: PictureLimits = PictureLimits(), options: Options = Options()
    ) {
        self.init(.bytes(bytes), named: name, fitting: targetSize, limits: limits, options: options)
    }

    /// Creates a decoder for bytes that are still arriving.
    ///
    /// If the total number of bytes is known, JPEGs and lossy WebPs are decoded as they arrive, and
    /// an embedded thumbnail is given as a preview. For other formats, it waits for the last byte.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file.
    ///   - name: The name of the file in errors.
    ///   - targetSize: The size that the picture is scaled down to fit; it's never scaled up.
    ///   - limits: The limits on the cost of decoding the file.
    ///   - options: The options of the job.
    public convenience init(
        arriving bytes: ArrivingBytes, named name: String, fitting targetSize: PixelSize,
        limits: PictureLimits = PictureLimits(), options: Options = Options()
    ) {
        self.init(
            .arriving(bytes), named: name, fitting: targetSize, limits: limits, options: options)
    }

    init(
        _ input: PictureInput, named name: String, fitting targetSize: PixelSize,
        limits: PictureLimits,
        options: Options, clock: StepClock = .system,
        _ decodingSize: ((PictureHeader) -> PixelSize)? = nil
    ) {
        self.name = name
        self.targetSize = targetSize
        self.limits = limits
        self.options = options
        self.decodingSize = decodingSize
        meter = StepMeter(clock)
        stage = .unopened(input)
    }

    /// Performs the next small part of the work.
    ///
    /// An error in a file that is written to or replaced meanwhile is thrown as `changedWhileRead`,
    /// since a new attempt may succeed. For a file that has become shorter, it may be `truncated`.
    ///
    /// - Returns: The picture, or that more steps are needed. A step after the last returns the
    ///   same picture again.
    /// - Throws: The reason why there is no picture. A further step throws the same error.
    public func step() throws(PictureError) -> Step {
        if let result { return .done(try result.get()) }
        if let file, file.isStarved { return .waiting }
        do throws(PictureError.Reason) {
            meter.begin()
            let step = try advance()
            meter.end()
            if case .done(let picture) = step {
                result = .success(picture)
                return step
            }
            try limits.check(&meter)
            return step
        } catch {
            // After an error, the stage is `ended`, and everything is freed.
            stage = .ended
            let error = PictureError(file: name, reason: file?.checked(error) ?? error)
            file = nil
            result = .failure(error)
            throw error
        }
    }

    /// Adds the time of a step up to here, and throws if the total exceeds the limit.
    private func checkTime() throws(PictureError.Reason) {
        meter.end()
        try limits.check(&meter)
        meter.begin()
    }

    /// Performs all remaining work in one go.
    ///
    /// All bytes must have arrived.
    ///
    /// - Returns: The same picture that the steps would have given.
    /// - Throws: The reason why there is no picture.
    public func decode() throws(PictureError) -> Picture {
        while true {
            switch try step() {
            case .done(let picture): return picture
            case .waiting: throw PictureError(file: name, reason: .cannotRead(errno: EAGAIN))
            case .more, .refined: continue
            }
        }
    }

    private func advance() throws(PictureError.Reason) -> Step {
        switch exchange(&stage, with: .ended) {
        case .unopened(let input):
            // Without a total length, decoding starts after the last byte.
            if case .arriving(let bytes) = input, bytes.expected == nil, !bytes.isComplete {
                stage = .unopened(input)
                return .waiting
            }
            let file = try input.open(limits)
            file.beforeRead = { [weak self] () throws(PictureError.Reason) in try self?.checkTime()
            }
            self.file = file
            stage = .opened(file)
            return .more
        case .opened(let file): return try open(file)
        case .decodingThumbnail(var frame, let picture, let use):
            // A thumbnail that can't be decoded, or is damaged itself, is ignored.
            let step = try? frame.step()
            guard case .done(let result)? = step, !result.isDamaged else {
                if case .more? = step {
                    stage = .decodingThumbnail(frame, picture, use)
                    return .more
                }
                source = .picture
                if case .substitute(let error) = use { throw error }
                try beginFrame(of: picture)
                return .more
            }
            switch use {
            case .replacement: return try end(with: result, of: picture)
            case .preview: return show(result, before: try self.frame(of: picture), of: picture)
            case .substitute(let error):
                let result = Picture(size: result.size, pixels: result.pixels, damage: error)
                return try end(with: result, of: picture)
            }
        case .decoding(var frame, let picture):
            do throws(PictureError.Reason) {
                switch try frame.step() {
                case .more, .waiting:
                    stage = .decoding(frame, picture)
                    return picture.file.isStarved ? .waiting : .more
                case .refined(let preview): return show(preview, before: frame, of: picture)
                case .done(let result): return try end(with: result, of: picture)
                }
            } catch {
                try beginSubstitute(of: picture, for: error)
                return .more
            }
        case .turningPreview(let turner, let frame, let picture):
            return turnPreview(turner, frame, picture)
        case .turning(let turner): return turn(turner)
        case .ended:
            preconditionFailure("a decoder that has ended has a result")
        }
    }

    /// Reads the header, and decides whether the thumbnail or the picture is decoded first.
    private func open(_ file: PictureFile) throws(PictureError.Reason) -> Step {
        if let header, !header.format.decodesArriving, !file.isComplete {
            stage = .opened(file)
            return .waiting
        }
        file.cameShort = false
        let opened: OpenedPicture?
        do throws(PictureError.Reason) {
            opened = try OpenedPicture(file, limits: limits, options.decoders)
        } catch {
            guard file.cameShort else { throw error }
            opened = nil
        }
        // The whole header is read again when more of the file has arrived.
        guard let picture = opened, !file.cameShort,
            picture.header.format.decodesArriving || file.isComplete
        else {
            if !file.cameShort { header = opened?.header }
            stage = .opened(file)
            return .waiting
        }
        header = picture.header
        if let decodingSize { targetSize = decodingSize(picture.header) }
        guard targetSize.width > 0, targetSize.height > 0 else {
            throw .unsupported("a target size of \(targetSize)")
        }
        if let frame = picture.thumbnailFrame(
            fitting: targetSize, limits: limits, isPreview: false)
        {
            source = .embeddedThumbnail
            stage = .decodingThumbnail(frame, picture, .replacement)
        } else if options.givesPreviews, !file.isComplete,
            let frame = picture.thumbnailFrame(fitting: targetSize, limits: limits, isPreview: true)
        {
            stage = .decodingThumbnail(frame, picture, .preview)
        } else {
            try beginFrame(of: picture)
        }
        return .more
    }

    private func beginFrame(of picture: OpenedPicture) throws(PictureError.Reason) {
        stage = .decoding(try frame(of: picture), picture)
    }

    /// Begins to decode the thumbnail because nothing of the picture can be shown.
    private func beginSubstitute(
        of picture: OpenedPicture, for error: PictureError.Reason
    ) throws(PictureError.Reason) {
        guard error.isOfFile, options.showsDamaged,
            let frame = picture.thumbnailFrame(fitting: targetSize, limits: limits, isPreview: true)
        else { throw error }
        source = .embeddedThumbnail
        stage = .decodingThumbnail(frame, picture, .substitute(error))
    }

    private func frame(of picture: OpenedPicture) throws(PictureError.Reason) -> FrameDecoder {
        try picture.frame(fitting: targetSize, limits: limits, givesPreviews: options.givesPreviews)
    }

    /// Returns a preview if it's upright, or else begins to rotate it.
    private func show(
        _ preview: Picture, before frame: consuming FrameDecoder, of picture: OpenedPicture
    ) -> Step {
        let orientation = picture.header.orientation
        guard orientation == .upright else {
            return turnPreview(
                OrientationTransform(preview, orientation: orientation), frame, picture)
        }
        stage = .decoding(frame, picture)
        return .refined(preview)
    }

    /// Releases the file, and begins to rotate the decoded picture if it isn't upright.
    private func end(
        with result: Picture, of picture: OpenedPicture
    ) throws(PictureError.Reason) -> Step {
        guard !picture.file.hasChanged else {
            throw picture.file.checked(result.damage ?? .changedWhileRead)
        }
        if let damage = result.damage, !options.showsDamaged { throw damage }
        file = nil
        if picture.header.orientation == .upright { return .done(result) }
        return turn(OrientationTransform(result, orientation: picture.header.orientation))
    }

    private func turn(_ turner: consuming OrientationTransform) -> Step {
        turner.step()
        if turner.isComplete { return .done(turner.picture()) }
        stage = .turning(turner)
        return .more
    }

    private func turnPreview(
        _ turner: consuming OrientationTransform, _ frame: consuming FrameDecoder,
        _ picture: OpenedPicture
    ) -> Step {
        turner.step()
        if turner.isComplete {
            stage = .decoding(frame, picture)
            return .refined(turner.picture())
        }
        stage = .turningPreview(turner, frame, picture)
        return .more
    }
}

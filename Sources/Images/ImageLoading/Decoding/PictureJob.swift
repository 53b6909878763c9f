internal import LullLibC

/// A job that decodes a picture file to the size at which it is shown, in steps.
///
/// A step takes far less than a millisecond on a desktop processor, so that a main loop stays
/// responsive while it decodes. All steps together cost as much as decoding in one go.
///
/// ```swift
/// let decoder = PictureJob(.file("a.jpg"), fitting: PixelSize(width: 256, height: 256))
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
    /// The options of a job: the supported formats, and ways to show something sooner.
    public struct Options: Sendable {
        /// Whether a picture that is stored in passes gives a `refined` step before it is done.
        public var givesPreviews = true
        /// Whether the sound parts of a damaged file are shown, as a picture with its
        /// ``Picture/damage``; if not, the damage is an error.
        public var showsDamaged = true
        /// The decoders of the supported formats.
        public var decoders = PictureDecoders.standard

        /// Creates options with previews, damaged pictures and the standard formats.
        public init() {}
    }

    /// The purpose for which an embedded thumbnail is decoded.
    private enum ThumbnailUse {
        /// It is as good as the picture, in the size that is shown.
        case replacement
        /// It is shown before the picture, which is still arriving.
        case preview
        /// It is shown because of this error in the picture.
        case substitute(PictureError.Reason)
    }

    /// The stage of the work, with what it holds there.
    private enum Stage: ~Copyable {
        case unopened(PictureOrigin)
        case arriving(ArrivingBytes)
        case opened(PictureFile)
        case decodingThumbnail(FrameDecoder, OpenedPicture, ThumbnailUse)
        case decoding(FrameDecoder, OpenedPicture)
        case ended
    }

    /// The name of the file in errors.
    let name: String
    private var targetSize: PixelSize
    private let decodingSize: ((PictureHeader) -> PixelSize)?
    private let limits: PictureLimits
    private let options: Options
    private var stage: Stage
    var meter = StepMeter()
    private(set) var file: PictureFile?
    /// The result, once the job has ended.
    private var result: Result<Picture, PictureError>?
    /// The header of the file, once a step has read it.
    public private(set) var header: PictureHeader?
    /// Whether the pixels are those of the small copy that a camera stored beside the picture; final
    /// when the picture is done.
    ///
    /// If the thumbnail turns out to be damaged, the picture is decoded instead.
    public private(set) var usesThumbnail = false
    /// The processor time that all steps so far have taken.
    public var cost: Duration { meter.sum }

    /// Creates a decoder; it does not access a file before the first step.
    ///
    /// - Parameters:
    ///   - origin: The bytes. Their format is detected by content, not by a name. The position of an
    ///     open file is not used or changed.
    ///   - name: The name of the file in errors; nil for its path.
    ///   - targetSize: The size that the picture is scaled down to fit; it's never scaled up.
    ///   - limits: The limits on the cost of decoding the file.
    ///   - options: The options of the job.
    public convenience init(
        _ origin: PictureOrigin, named name: String? = nil, fitting targetSize: PixelSize,
        limits: PictureLimits = PictureLimits(), options: Options = Options()
    ) {
        self.init(
            origin, arriving: nil, named: name ?? origin.name, fitting: targetSize,
            limits: limits, options: options)
    }

    /// Creates a decoder of bytes that are perhaps still arriving, whose target size may depend on
    /// the header.
    ///
    /// If the total number of bytes is known, JPEGs and lossy WebPs are decoded as they arrive, and
    /// an embedded thumbnail is given as a preview. For other formats, it waits for the last byte.
    package init(
        _ origin: PictureOrigin = .bytes([]), arriving bytes: ArrivingBytes?, named name: String,
        fitting targetSize: PixelSize, limits: PictureLimits, options: Options = Options(),
        decodingSize: ((PictureHeader) -> PixelSize)? = nil
    ) {
        self.name = name
        self.targetSize = targetSize
        self.limits = limits
        self.options = options
        self.decodingSize = decodingSize
        stage = if let bytes { .arriving(bytes) } else { .unopened(origin) }
    }

    /// Performs the next small part of the work.
    ///
    /// An error in a file that is written to or replaced meanwhile is thrown as `changedWhileRead`,
    /// since a new attempt may succeed. For a file that has become shorter, it may be `truncated`.
    ///
    /// - Returns: The picture, or that more steps are needed. A step after the last returns the
    ///   same picture again.
    /// - Throws: The reason why there is no picture. A further step throws the same error.
    public func step() throws(PictureError) -> PictureStep<Picture> {
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

    /// Performs steps as long as `goesOn` returns true between two of them; stops at what is to be shown
    /// or awaited, and when the header is known.
    func steps(
        while goesOn: () -> Bool
    ) throws(PictureError) -> PictureStep<Picture> {
        let knew = header != nil
        while true {
            let step = try step()
            guard case .more = step, knew == (header != nil), goesOn() else { return step }
        }
    }

    /// Lets the next step be on another thread.
    package func leaveThread() { meter.leaveThread() }

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

    private func advance() throws(PictureError.Reason) -> PictureStep<Picture> {
        switch exchange(&stage, with: .ended) {
        case .unopened(let origin): begin(try origin.open(limits))
        case .arriving(let bytes):
            // Without a total length, decoding starts after the last byte.
            guard bytes.expected != nil || bytes.isComplete else {
                stage = .arriving(bytes)
                return .waiting
            }
            begin(try PictureFile(bytes, limits: limits))
        case .opened(let file): return try open(file)
        case .decodingThumbnail(let frame, let picture, let use):
            return try stepThumbnail(frame, of: picture, for: use)
        case .decoding(var frame, let picture):
            do throws(PictureError.Reason) {
                let step = try frame.step()
                if case .done(let result) = step { return .done(try end(with: result, picture)) }
                stage = .decoding(frame, picture)
                if case .more = step, picture.file.isStarved { return .waiting }
                return step
            } catch {
                try beginSubstitute(of: picture, for: error)
            }
        case .ended:
            preconditionFailure("a decoder that has ended has a result")
        }
        return .more
    }

    private func begin(_ file: PictureFile) {
        file.beforeRead = { [weak self] () throws(PictureError.Reason) in try self?.checkTime() }
        self.file = file
        stage = .opened(file)
    }

    /// Reads the header, and decides whether the thumbnail or the picture is decoded first.
    private func open(_ file: PictureFile) throws(PictureError.Reason) -> PictureStep<Picture> {
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
        if let frame = picture.thumbnailFrame(fitting: targetSize, isPreview: false) {
            usesThumbnail = true
            stage = .decodingThumbnail(frame, picture, .replacement)
        } else if options.givesPreviews, !file.isComplete,
            let frame = picture.thumbnailFrame(fitting: targetSize, isPreview: true)
        {
            stage = .decodingThumbnail(frame, picture, .preview)
        } else {
            try beginFrame(of: picture)
        }
        return .more
    }

    private func beginFrame(of picture: OpenedPicture) throws(PictureError.Reason) {
        let frame = try picture.frame(
            fitting: targetSize, givesPreviews: options.givesPreviews)
        stage = .decoding(frame, picture)
    }

    /// Begins to decode the thumbnail because nothing of the picture can be shown.
    private func beginSubstitute(
        of picture: OpenedPicture, for error: PictureError.Reason
    ) throws(PictureError.Reason) {
        guard error.isOfFile, options.showsDamaged,
            let frame = picture.thumbnailFrame(fitting: targetSize, isPreview: true)
        else { throw error }
        usesThumbnail = true
        stage = .decodingThumbnail(frame, picture, .substitute(error))
    }

    /// Decodes a part of the thumbnail; one that can't be decoded, or is damaged itself, is ignored.
    private func stepThumbnail(
        _ frame: consuming FrameDecoder, of picture: OpenedPicture, for use: ThumbnailUse
    ) throws(PictureError.Reason) -> PictureStep<Picture> {
        let step = try? frame.step()
        if case .more? = step {
            stage = .decodingThumbnail(frame, picture, use)
            return .more
        }
        guard case .done(let result)? = step, !result.isDamaged else {
            usesThumbnail = false
            if case .substitute(let error) = use { throw error }
            try beginFrame(of: picture)
            return .more
        }
        switch use {
        case .replacement: return .done(try end(with: result, picture))
        case .preview:
            try beginFrame(of: picture)
            return .refined(result)
        case .substitute(let error):
            let result = Picture(size: result.size, pixels: result.pixels, damage: error)
            return .done(try end(with: result, picture))
        }
    }

    /// Releases the file, and returns the picture if its file hasn't changed meanwhile.
    private func end(
        with result: Picture, _ picture: OpenedPicture
    ) throws(PictureError.Reason) -> Picture {
        guard !picture.file.hasChanged else {
            throw picture.file.checked(result.damage ?? .changedWhileRead)
        }
        if let damage = result.damage, !options.showsDamaged { throw damage }
        file = nil
        return result
    }
}

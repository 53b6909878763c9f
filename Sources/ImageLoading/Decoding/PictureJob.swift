internal import Glibc

/// Decodes one picture file to the size at which it will be shown, in steps.
///
/// A step is far below a millisecond on a desktop processor, so that a main loop can decode while
/// it stays ready for events. All steps together cost what decoding in one go costs.
///
/// ```swift
/// let decoder = PictureJob(path: "a.jpg", fitting: PixelSize(width: 256, height: 256))
/// while !slot.isOver {
///     if case .done(let picture) = try decoder.step() { return show(picture) }
/// }
/// ```
///
/// To cancel, drop the decoder: it frees all that it holds. What a file may cost is bounded by
/// its `PictureLimits`; what is wrong with it is thrown, and ends the decoder.
///
/// Steps that may not be small: one row of a PNG costs by its width (3 ms at 65,535 pixels of
/// 16-bit RGBA), and what is freed at the end costs by its size (3 ms for the coefficients of a
/// progressive JPEG of 12 megapixels, or for the pixels of a picture that was turned at such a
/// size). A plain WebP with loss may come in one step (9 ms at 12 megapixels). An ICC profile with
/// tables takes up to 4 ms to open, as that of a CMYK JPEG for print; the last eight stay open.
public final class PictureJob {
    /// The result of a step.
    public enum Step: Sendable {
        /// There is more to do.
        case more
        /// There is more to do when more bytes have arrived.
        case waiting
        /// There is more to do, but this much can be shown until it is done.
        case refined(Picture)
        /// The picture is there, and the decoder has done its work.
        case done(Picture)
    }

    /// The name that errors have.
    let name: String
    private var box: PixelSize
    private let decodingBox: ((PictureHeader) -> PixelSize)?
    private let limits: PictureLimits
    private let options: Options
    private var stage: DecodingStage
    private var meter: StepMeter
    private(set) var file: PictureFile?
    /// The result, once it has ended.
    private var result: Result<Picture, PictureError>?
    /// The header of the file, once a step has read it.
    public private(set) var header: PictureHeader?
    /// The source of the pixels; settled when the picture is done.
    ///
    /// A thumbnail that turns out to be damaged is given up for the picture on the way.
    public private(set) var source = Source.picture
    /// The processor time that all steps so far have taken.
    public var cost: Duration { meter.sum }

    /// A decoder for a file; it does not touch the file before the first step.
    ///
    /// - Parameters:
    ///   - path: The file. What it is, is told by its content, not by its name.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: What the file may cost.
    ///   - options: What is done to show something sooner.
    public convenience init(
        path: String, fitting box: PixelSize, limits: PictureLimits = PictureLimits(),
        options: Options = Options()
    ) {
        self.init(.path(path), named: path, fitting: box, limits: limits, options: options)
    }

    /// A decoder for a file that is open for reading; its position is neither used nor moved.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - name: What errors call it.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: What the file may cost.
    ///   - options: What is done to show something sooner.
    public convenience init(
        opened file: OpenedFile, named name: String, fitting box: PixelSize,
        limits: PictureLimits = PictureLimits(), options: Options = Options()
    ) {
        self.init(.opened { file }, named: name, fitting: box, limits: limits, options: options)
    }

    /// A decoder for bytes that were fetched from elsewhere.
    ///
    /// - Parameters:
    ///   - bytes: All of the file.
    ///   - name: What errors call it.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: What the file may cost.
    ///   - options: What is done to show something sooner.
    public convenience init(
        bytes: [UInt8], named name: String, fitting box: PixelSize,
        limits: PictureLimits = PictureLimits(), options: Options = Options()
    ) {
        self.init(.bytes(bytes), named: name, fitting: box, limits: limits, options: options)
    }

    /// A decoder for bytes that are still arriving.
    ///
    /// If their number is known, it decodes what has come of JPEGs and of WebPs with loss, and gives a
    /// thumbnail in the file as a preview. It waits for the last byte of others.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - name: What errors call it.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: What the file may cost.
    ///   - options: What is done to show something sooner.
    public convenience init(
        arriving bytes: ArrivingBytes, named name: String, fitting box: PixelSize,
        limits: PictureLimits = PictureLimits(), options: Options = Options()
    ) {
        self.init(.arriving(bytes), named: name, fitting: box, limits: limits, options: options)
    }

    init(
        _ input: PictureInput, named name: String, fitting box: PixelSize, limits: PictureLimits,
        options: Options, clock: StepClock = .system,
        _ decodingBox: ((PictureHeader) -> PixelSize)? = nil
    ) {
        self.name = name
        self.box = box
        self.limits = limits
        self.options = options
        self.decodingBox = decodingBox
        meter = StepMeter(clock)
        stage = .unopened(input)
    }

    /// Does the next small part of the work.
    ///
    /// What is found wrong with a file that somebody writes to meanwhile, or replaces, is thrown as
    /// `changedWhileRead`, for it may be right again. One that has become shorter is `truncated`
    /// where that is how it shows.
    ///
    /// - Returns: The picture, or that there is more to do. A step after the last gives the same
    ///   picture again.
    /// - Throws: Why there will be no picture. A further step throws the same.
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
            // What throws leaves `ended` behind, and everything freed.
            stage = .ended
            let error = PictureError(file: name, reason: file?.told(error) ?? error)
            file = nil
            result = .failure(error)
            throw error
        }
    }

    /// Counts the time of a step up to here, and ends it if that is too much.
    private func checkTime() throws(PictureError.Reason) {
        meter.end()
        try limits.check(&meter)
        meter.begin()
    }

    /// Does all that is left of the work in one go.
    ///
    /// Bytes that are to arrive must have done so.
    ///
    /// - Returns: The same picture that the steps would have led to.
    /// - Throws: Why there is no picture.
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
            // Without a length nothing is known of what has come.
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
        case .decodingThumbnail(var frame, let picture, let isPreview):
            // A thumbnail that can't be decoded is as good as none.
            guard let step = try? frame.step() else {
                source = .picture
                try beginFrame(of: picture)
                return .more
            }
            guard case .done(let result) = step else {
                stage = .decodingThumbnail(frame, picture, isPreview: isPreview)
                return .more
            }
            guard isPreview else { return try end(with: result, of: picture) }
            return show(result, before: try self.frame(of: picture), of: picture)
        case .decoding(var frame, let picture):
            switch try frame.step() {
            case .more, .waiting:
                stage = .decoding(frame, picture)
                return picture.file.isStarved ? .waiting : .more
            case .refined(let preview): return show(preview, before: frame, of: picture)
            case .done(let result): return try end(with: result, of: picture)
            }
        case .turningPreview(let turner, let frame, let picture):
            return turnPreview(turner, frame, picture)
        case .turning(let turner): return turn(turner)
        case .ended:
            preconditionFailure("a decoder that has ended has a result")
        }
    }

    /// Reads the header, and decides what is decoded first.
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
        // A header is read anew, whole, when more of the file has come.
        guard let picture = opened, !file.cameShort,
            picture.header.format.decodesArriving || file.isComplete
        else {
            if !file.cameShort { header = opened?.header }
            stage = .opened(file)
            return .waiting
        }
        header = picture.header
        if let decodingBox { box = decodingBox(picture.header) }
        if options.usesEmbeddedThumbnail,
            let frame = picture.thumbnailFrame(fitting: box, limits: limits, isPreview: false)
        {
            source = .embeddedThumbnail
            stage = .decodingThumbnail(frame, picture, isPreview: false)
        } else if options.givesPreviews, !file.isComplete,
            let frame = picture.thumbnailFrame(fitting: box, limits: limits, isPreview: true)
        {
            stage = .decodingThumbnail(frame, picture, isPreview: true)
        } else {
            try beginFrame(of: picture)
        }
        return .more
    }

    private func beginFrame(of picture: OpenedPicture) throws(PictureError.Reason) {
        stage = .decoding(try frame(of: picture), picture)
    }

    private func frame(of picture: OpenedPicture) throws(PictureError.Reason) -> FrameDecoder {
        try picture.frame(fitting: box, limits: limits, givesPreviews: options.givesPreviews)
    }

    /// Shows what can be shown early, once it is upright.
    private func show(
        _ preview: Picture, before frame: consuming FrameDecoder, of picture: OpenedPicture
    ) -> Step {
        let orientation = picture.header.orientation
        guard orientation == .upright else {
            return turnPreview(PictureTurner(preview, orientation: orientation), frame, picture)
        }
        stage = .decoding(frame, picture)
        return .refined(preview)
    }

    /// Takes leave of the file, and begins to turn what was decoded.
    private func end(
        with result: Picture, of picture: OpenedPicture
    ) throws(PictureError.Reason) -> Step {
        guard !picture.file.hasChanged else { throw .changedWhileRead }
        file = nil
        if picture.header.orientation == .upright { return .done(result) }
        return turn(PictureTurner(result, orientation: picture.header.orientation))
    }

    private func turn(_ turner: consuming PictureTurner) -> Step {
        turner.step()
        if turner.isComplete { return .done(turner.picture()) }
        stage = .turning(turner)
        return .more
    }

    private func turnPreview(
        _ turner: consuming PictureTurner, _ frame: consuming FrameDecoder,
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

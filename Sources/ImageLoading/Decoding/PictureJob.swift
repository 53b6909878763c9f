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
/// size).
public final class PictureJob {
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
    private let limits: PictureLimits
    private let options: Options
    private var stage: DecodingStage
    private var meter: StepMeter
    private(set) var file: PictureFile?
    /// What has come of it, once it has ended.
    private var result: Result<Picture, PictureError>?
    /// What the file says of its picture, once a step has read it.
    public private(set) var header: PictureHeader?
    /// What the pixels come from; settled when the picture is done.
    ///
    /// A thumbnail that turns out to be damaged is given up for the picture on the way.
    public private(set) var source = Source.picture
    /// The state in which the file was opened by the first step; nil for bytes.
    ///
    /// It is that of the pixels: a file that changes later gives no picture, but an error.
    public private(set) var stamp: FileStamp?

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
    ///   - descriptor: The file. The caller closes it, when the decoder is done or was dropped.
    ///   - name: What errors call it.
    ///   - box: The picture is scaled down to lie in it, and never scaled up.
    ///   - limits: What the file may cost.
    ///   - options: What is done to show something sooner.
    public convenience init(
        descriptor: Int32, named name: String, fitting box: PixelSize,
        limits: PictureLimits = PictureLimits(), options: Options = Options()
    ) {
        self.init(
            .descriptor(descriptor), named: name, fitting: box, limits: limits, options: options)
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

    init(
        _ input: PictureInput, named name: String, fitting box: PixelSize, limits: PictureLimits,
        options: Options, clock: StepClock = .system
    ) {
        self.name = name
        self.box = box
        self.limits = limits
        self.options = options
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
    /// - Returns: The same picture that the steps would have led to.
    /// - Throws: Why there is no picture.
    public func decode() throws(PictureError) -> Picture {
        while true {
            if case .done(let picture) = try step() { return picture }
        }
    }

    private func advance() throws(PictureError.Reason) -> Step {
        switch exchange(&stage, with: .ended) {
        case .unopened(let input):
            let file = try PictureFile(input, limits: limits)
            file.beforeRead = { [weak self] () throws(PictureError.Reason) in try self?.checkTime()
            }
            self.file = file
            stamp = file.state?.stamp
            stage = .opened(file)
            return .more
        case .opened(let file):
            let header = try PictureHeader(of: file, limits: limits)
            self.header = header
            try begin(OpenedPicture(file: file, header: header))
            return .more
        case .decodingThumbnail(var frame, let picture):
            // A thumbnail that can't be decoded is as good as none.
            guard let step = try? frame.step() else {
                source = .picture
                try beginFrame(of: picture)
                return .more
            }
            guard case .done(let result) = step else {
                stage = .decodingThumbnail(frame, picture)
                return .more
            }
            return try end(with: result, of: picture)
        case .decoding(var frame, let picture):
            switch try frame.step() {
            case .more:
                stage = .decoding(frame, picture)
                return .more
            case .refined(let preview):
                let turner = PictureTurner(preview, orientation: picture.header.orientation)
                guard picture.header.orientation == .upright else {
                    return turnPreview(turner, frame, picture)
                }
                stage = .decoding(frame, picture)
                return .refined(preview)
            case .done(let result): return try end(with: result, of: picture)
            }
        case .turningPreview(let turner, let frame, let picture):
            return turnPreview(turner, frame, picture)
        case .turning(let turner): return turn(turner)
        case .ended:
            preconditionFailure("a decoder that has ended has a result")
        }
    }

    private func begin(_ picture: OpenedPicture) throws(PictureError.Reason) {
        if options.usesEmbeddedThumbnail,
            let frame = picture.thumbnailFrame(fitting: box, limits: limits)
        {
            source = .embeddedThumbnail
            stage = .decodingThumbnail(frame, picture)
        } else {
            try beginFrame(of: picture)
        }
    }

    private func beginFrame(of picture: OpenedPicture) throws(PictureError.Reason) {
        let frame = try picture.frame(
            fitting: box, limits: limits, givesPreviews: options.givesPreviews)
        stage = .decoding(frame, picture)
    }

    /// Takes leave of the file, and begins to turn what was decoded.
    private func end(
        with result: Picture, of picture: OpenedPicture
    ) throws(PictureError.Reason) -> Step {
        guard picture.file.change == nil else { throw .changedWhileRead }
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

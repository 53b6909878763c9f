internal import DeferredLoading
internal import IdleLoop

/// A picture being loaded on the loop: decoded, and scaled down if more was decoded than is shown.
final class PictureLoad: Load {
    private enum Stage {
        case decoding(PictureJob)
        case scaling
        case given(Picture)
    }

    private let source: PictureSource
    private var job: LoadJob
    private var stage: Stage
    /// Beside the stage, so that its rows aren't copied at each step.
    private var scaler: PictureScaler?
    /// Whether it's decoded from what was stored, which is no measure of the file.
    private var isFromStore: Bool
    /// The longest step so far: what may follow when there is hardly any time left.
    private var grain = Duration.zero
    private var spent = Duration.zero

    /// A picture that's there already.
    init(_ picture: Picture, _ job: LoadJob, of source: PictureSource) {
        self.source = source
        self.job = job
        stage = .given(picture)
        isFromStore = true
    }

    /// A picture to be decoded from its file, or from what was stored of it.
    init(_ job: LoadJob, stored: String? = nil, of source: PictureSource) {
        self.source = source
        self.job = job
        isFromStore = stored != nil
        stage =
            if let stored {
                .decoding(PictureJob(path: stored, fitting: job.request.box))
            } else {
                .decoding(source.decoder(of: job))
            }
    }

    /// What the decoder holds while it's at work.
    var size: Int {
        if case .decoding = stage { return job.header?.estimatedMemory ?? 0 }
        return 0
    }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<Picture> {
        var last = slot.now
        repeat {
            let step = try advance(last, slot)
            guard case .more = step else { return step }
            let now = slot.now
            grain = max(grain, last.duration(to: now))
            last = now
        } while last.advanced(by: grain) < slot.sliceEnd
        return .more
    }

    private func advance(
        _ start: Instant, _ slot: borrowing IdleSlot
    ) throws(PictureError) -> LoadStep<Picture> {
        switch stage {
        case .given(let picture): return .done(picture)
        case .scaling:
            guard let picture = scaler?.step() else { return .more }
            return .done(source.keep(picture, of: job))
        case .decoding(let decoder): return try decode(decoder, start, slot)
        }
    }

    private func decode(
        _ decoder: PictureJob, _ start: Instant, _ slot: borrowing IdleSlot
    ) throws(PictureError) -> LoadStep<Picture> {
        let step: PictureJob.Step
        do throws(PictureError) {
            step = try decoder.step()
        } catch {
            guard !isFromStore else {
                // What was stored is damaged: the file itself is there.
                isFromStore = false
                job = try source.withHeader(job)
                stage = .decoding(source.decoder(of: job))
                return .more
            }
            throw source.failed(job, error)
        }
        source.onStep?(job.request)
        spent += start.duration(to: slot.now)
        switch step {
        case .more, .waiting: return .more
        case .refined(let picture): return preview(picture)
        case .done(let picture): return finish(picture)
        }
    }

    /// What is shown until the picture is there; scaling it is one step, so it must not be large.
    private func preview(_ picture: Picture) -> LoadStep<Picture> {
        let box = job.request.box
        if picture.size.fitted(in: box) == picture.size { return .refined(picture) }
        guard picture.size.width * picture.size.height <= 1 << 16 else { return .more }
        return .refined(PictureScaler.scaled(picture, fitting: box))
    }

    private func finish(_ picture: Picture) -> LoadStep<Picture> {
        source.decoded(picture, of: job, isFromStore: isFromStore, spent: spent)
        let size = picture.size.fitted(in: job.request.box)
        guard size != picture.size else { return .done(source.keep(picture, of: job)) }
        scaler = PictureScaler(picture, to: size)
        stage = .scaling
        return .more
    }
}

/// One load of a picture, and what is known of its file.
struct LoadJob: Sendable {
    let request: PictureRequest
    /// The state of the file before it's read; nil if that can't be seen.
    let stamp: FileStamp?
    let header: PictureHeader?
    /// What it's decoded to: more than is shown if it's to be stored.
    let box: PixelSize
}

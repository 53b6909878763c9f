internal import CLull
internal import CLullPictures
internal import IdleLoop
internal import ImageLoading
internal import LullCalls
internal import LullLibC
internal import Synchronization

/// The work on one picture, in slices, up to the pixels that C gets.
///
/// One thread at a time has it.
final class PictureWork {
    /// The outcome of a slice.
    enum Progress {
        case again
        case waiting
        case refined(Picture)
        case done(Picture)
        case failed(PictureFailure)
    }

    let core: PicturesCore
    private let resumption: Resumption
    private var sequence: PictureSequence<ShownPictures>
    private var conversion: PixelConversion?
    /// The decoding that another process or thread does.
    private var remote: RemoteDecoding?

    init(
        _ request: CheckedRequest, of core: PicturesCore, givesPreviews: Bool,
        resumption: Resumption
    ) {
        self.core = core
        self.resumption = resumption
        sequence = PictureSequence(core.task(request, givesPreviews: givesPreviews))
    }

    deinit { cancel() }

    /// The memory that it takes.
    var size: Int { sequence.size }

    /// Lets go of what another process or thread does.
    func cancel() {
        guard let remote = remote.take() else { return }
        remote.cancel()
        core.helpers?.cancel(remote)
    }

    /// Performs the steps of a slice.
    func run(in slice: Slice) -> Progress {
        var slice = slice
        defer { sequence.job?.leaveThread() }
        repeat {
            guard !core.isClosed else { return .failed(.closed) }
            let knew = sequence.job?.header != nil
            if let progress = step(in: &slice) { return counted(progress) }
            // The list is told before much memory is taken.
            if !knew, sequence.job?.header != nil { return .again }
        } while slice.goesOn()
        return .again
    }

    /// Performs some steps; returns nil if there is more to do.
    private func step(in slice: inout Slice) -> Progress? {
        if let remote {
            let (picture, failure) = remote.result
            if picture != nil || failure != nil { self.remote = nil }
            if let failure { return .failed(failure) }
            guard let picture else { return core.isKeptRunning ? .waiting : .again }
            sequence = .making(sequence.task, from: picture)
            core.counts.decodedByHelpers.add(core.helpers == nil ? 0 : 1, ordering: .relaxed)
            return nil
        }
        if let picture = conversion?.step() { return .done(picture) }
        if conversion != nil { return nil }
        if belongsElsewhere { return leave() }
        do throws(PictureError) {
            switch try sequence.step(while: { slice.goesOn() }) {
            case .more: return nil
            case .waiting: return .waiting
            case .refined(let picture): return preview(picture)
            case .done(let picture): take(picture)
            }
            return nil
        } catch {
            return .failed(failed(error))
        }
    }

    // MARK: - Decoding elsewhere

    /// Whether the next step is a helper's, or that of a thread that may block.
    private var belongsElsewhere: Bool {
        guard let job = sequence.job, sequence.picture == nil, !sequence.isStored else {
            return false
        }
        if core.helpers != nil { return true }
        return job.header?.format.needsWorker == true && core.isOnLoop
    }

    /// Begins to decode in another process or thread, or waits for a place there.
    private func leave() -> Progress? {
        let waits = core.isKeptRunning
        guard core.places.take(orResume: waits ? resumption : nil) else {
            return waits ? .waiting : .again
        }
        let task = sequence.task
        let remote = RemoteDecoding(
            task.origin, named: task.name, fitting: task.decodingSize(nil), limits: task.limits
        ) { [core, resumption] in core.end($0, of: resumption) }
        self.remote = remote
        core.begin(remote)
        if let helpers = core.helpers {
            if !helpers.begin(remote) { remote.end(.failure(.noHelper)) }
        } else if let job = sequence.job {
            // Nobody else has it until the decoding has ended.
            nonisolated(unsafe) let job = job
            let code = startThread {
                remote.end(unsafe Self.decode(job, for: remote))
            }
            if code != 0 { remote.end(.failure(.noMemory)) }
        }
        return nil
    }

    private static func decode(
        _ job: PictureJob, for remote: RemoteDecoding
    ) -> Result<Picture, PictureFailure> {
        job.leaveThread()
        do throws(PictureError) {
            while !remote.isCancelled {
                if case .done(let picture) = try job.step() { return .success(picture) }
            }
            return .failure(.closed)
        } catch {
            return .failure(PictureFailure(error))
        }
    }

    // MARK: - Results

    private func preview(_ picture: Picture) -> Progress? {
        let task = sequence.task
        guard let picture = task.recipe.preview(picture, for: task.key) else { return nil }
        // A larger one would take too long to convert in one step.
        let isQuick = core.format == LULL_PIXELS_RGBA_PREMULTIPLIED
        guard isQuick || picture.pixels.count <= 1 << 18 else { return nil }
        var conversion = PixelConversion(picture, to: core.format)
        return .refined(conversion.finish())
    }

    /// Takes the picture, and has it stored on disk.
    private func take(_ picture: Picture) {
        conversion = PixelConversion(picture, to: core.format)
        guard let made = sequence.made(picture) else {
            core.counts.found.add(1, ordering: .relaxed)
            return
        }
        if made.header != nil || core.helpers == nil {
            core.counts.decoded.add(1, ordering: .relaxed)
        }
        if let work = sequence.task.storing(made) { core.store(work) }
    }

    /// Returns an error for C, and has it stored on disk that the file gives no picture.
    private func failed(_ error: PictureError) -> PictureFailure {
        let task = sequence.task
        if let stamp = task.stamp, error.reason.isOfFile, error.reason != .knownFailure,
            let work = task.recipe.store?.failureWriter(of: task.key, stamp)
        {
            core.store(work)
        }
        return PictureFailure(error)
    }

    private func counted(_ progress: Progress) -> Progress {
        switch progress {
        case .failed: core.counts.failed.add(1, ordering: .relaxed)
        case .done(let picture) where picture.isDamaged:
            core.counts.damaged.add(1, ordering: .relaxed)
        default: break
        }
        return progress
    }
}

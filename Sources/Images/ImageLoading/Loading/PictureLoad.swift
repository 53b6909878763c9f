internal import DeferredLoading
internal import IdleLoop

/// A load of a value on the loop: the lookup on disk, the decoding, and the steps that follow it.
final class PictureLoad<Recipe: PictureRecipe>: Load {
    typealias Value = Recipe.Value

    private enum Stage {
        case looking(PictureOrigin)
        /// A job in progress; for a file from disk, with the original to decode if that file is
        /// damaged.
        case working(ChainedJob<Value>, otherwise: PictureOrigin?)
        case making(Picture, any SteppedWork<Value, PictureError.Reason>)
        case given(Value)
        case failed(PictureError)
    }

    private let source: PicturePipeline<Recipe>
    private let key: Recipe.Key
    private let stamp: FileStamp?
    private var stage: Stage
    /// The time that decoding took; nil until it's done.
    private var decoding: Duration?
    /// The longest step so far; another one starts only if it would fit into the rest of the slice.
    private var grain = Duration.zero
    private var spent = Duration.zero

    /// Creates a load of a value that is already available.
    init(_ value: Value, _ key: Recipe.Key, of source: PicturePipeline<Recipe>) {
        (self.source, self.key, stamp) = (source, key, nil)
        stage = .given(value)
    }

    /// Creates a load that is done completely on the loop.
    init(
        _ key: Recipe.Key, _ origin: PictureOrigin, _ stamp: FileStamp?,
        of source: PicturePipeline<Recipe>
    ) {
        (self.source, self.key, self.stamp) = (source, key, stamp)
        stage = .looking(origin)
    }

    /// Creates a load of a file that a worker has read.
    init(_ key: Recipe.Key, _ file: ReadFile, of source: PicturePipeline<Recipe>) {
        (self.source, self.key, stamp) = (source, key, file.stamp)
        stage = .working(source.job(.opened { file.file }, key), otherwise: nil)
    }

    /// Creates a load of a picture that was decoded elsewhere.
    init(
        _ key: Recipe.Key, _ picture: Picture, _ stamp: FileStamp?,
        of source: PicturePipeline<Recipe>
    ) {
        (self.source, self.key, self.stamp) = (source, key, stamp)
        do throws(PictureError.Reason) {
            stage = .making(picture, try source.recipe.make(picture, for: key))
        } catch {
            let error = PictureError(file: source.recipe.name(of: key), reason: error)
            stage = .failed(source.failed(key, error, stamp))
        }
    }

    /// The memory of the decoder, or of the picture from which a value is being made.
    var size: Int {
        switch stage {
        case .looking, .given, .failed: 0
        case .making(let picture, _): picture.pixels.count
        case .working(let job, _):
            (job.job.header?.estimatedMemory ?? 0) + (job.picture?.pixels.count ?? 0)
        }
    }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<Value> {
        var last = slot.now
        repeat {
            let held = size
            let step = try advance()
            let now = slot.now
            let took = last.duration(to: now)
            spent += took
            if decoding == nil, case .working(let job, _) = stage, job.picture != nil {
                decoding = spent
            }
            switch step {
            // The loader is told of much memory before it is taken.
            case .more: if size - held >= PicturePipeline<Recipe>.muchMemory { return .more }
            case .refined, .waiting: return step
            case .done(let value):
                if case .given = stage { return step }
                let value = end(with: value)
                stage = .given(value)
                return .done(value)
            }
            grain = max(grain, took)
            last = now
        } while last.advanced(by: grain) < slot.sliceEnd
        return .more
    }

    private func advance() throws(PictureError) -> LoadStep<Value> {
        switch stage {
        case .given(let value): return .done(value)
        case .failed(let error): throw error
        case .looking(let origin): return try lookUp(origin)
        case .making(_, let work):
            do throws(PictureError.Reason) {
                return try work.advance().map { .done($0) } ?? .more
            } catch {
                throw fail(PictureError(file: source.recipe.name(of: key), reason: error))
            }
        case .working(let job, let otherwise):
            do throws(PictureError) {
                return try step(job)
            } catch {
                guard let otherwise else { throw fail(error) }
                stage = .working(source.job(otherwise.input, key), otherwise: nil)
                return .more
            }
        }
    }

    private func lookUp(_ origin: PictureOrigin) throws(PictureError) -> LoadStep<Value> {
        switch source.recipe.find(key, stamp) {
        case .none: stage = .working(source.job(origin.input, key), otherwise: nil)
        case .file(let path):
            stage = .working(source.job(storedAt: path, key), otherwise: origin)
        case .failed:
            let error = PictureError(file: source.recipe.name(of: key), reason: .knownFailure)
            throw fail(error, isKnown: true)
        case .value(let value):
            source.count(\.foundInStore)
            stage = .given(source.given(value, key))
        }
        return .more
    }

    private func step(_ job: ChainedJob<Value>) throws(PictureError) -> LoadStep<Value> {
        let step = try job.step()
        source.onStep?(key)
        if job.picture == nil { try source.checkSteps(job.job.header, key) }
        switch step {
        case .more, .waiting: return .more
        case .refined(let picture):
            return source.recipe.preview(picture, for: key).map { .refined($0) } ?? .more
        case .done(let value): return .done(value)
        }
    }

    /// Takes the value that was made, and stores it.
    private func end(with value: Value) -> Value {
        switch stage {
        case .working(let job, let otherwise):
            guard otherwise == nil else {
                source.count(\.foundInStore)
                return source.given(value, key)
            }
            guard let picture = job.picture else { return value }
            let header = job.job.header
            if let header { source.decoded(header, key, spent: decoding ?? spent) }
            return source.made(
                MadePicture(value: value, picture: picture, header: header, stamp: stamp), key,
                spent: spent)
        case .making(let picture, _):
            source.store(
                MadePicture(value: value, picture: picture, header: nil, stamp: stamp), key)
            return source.given(value, key)
        case .looking, .given, .failed: return value
        }
    }

    private func fail(_ error: PictureError, isKnown: Bool = false) -> PictureError {
        let error = source.failed(key, error, stamp, isKnown: isKnown)
        stage = .failed(error)
        return error
    }
}

extension PicturePipeline {
    /// Returns the job that decodes a key's picture and makes its value.
    func job(_ input: PictureInput, _ key: Key) -> ChainedJob<Value> {
        PictureJob(
            input, named: recipe.name(of: key), fitting: recipe.targetSize(of: key), limits: limits,
            options: PictureJob.Options(decoders: decoders)
        ) { [recipe] in recipe.decodingSize(of: key, $0) }
        .then { [recipe] (picture) throws(PictureError.Reason) in
            try recipe.make(picture, for: key)
        }
    }

    /// Returns the job that decodes a stored picture in place of the original, and makes its value.
    func job(storedAt path: String, _ key: Key) -> ChainedJob<Value> {
        PictureJob(
            path: path, fitting: recipe.targetSize(of: key), limits: limits,
            options: PictureJob.Options(showsDamaged: false)
        ).then {
            [recipe] (picture) throws(PictureError.Reason) in try recipe.make(picture, for: key)
        }
    }
}

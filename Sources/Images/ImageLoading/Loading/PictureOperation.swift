internal import DeferredLoading
internal import LullLibC
internal import IdleLoop

/// A pending load of a picture that comes from a server, or that another process decodes.
final class PictureOperation<Recipe: PictureRecipe>: PendingOperation {
    typealias Completion = OperationCompletion<FetchedPicture<Recipe.Value>>

    private let key: Recipe.Key
    private let name: String
    private let source: PicturePipeline<Recipe>
    private let completion: Completion
    /// The operation in progress, which is cancelled together with this one.
    private var operation: (any PendingOperation)?
    private var lookup: IdleJob?
    /// The priority and rank of its job, which its work on workers has, too.
    private var order = (priority: Priority.highest, rank: 0)
    private var isOver = false
    private var bytes = ArrivingBytes()
    private var job: PictureJob?
    /// The memory that decoding takes on the loop, as far as it has begun.
    private var memory = 0

    init(
        _ key: Recipe.Key, _ origin: PictureOrigin, of source: PicturePipeline<Recipe>,
        _ completion: Completion
    ) {
        self.key = key
        self.source = source
        self.completion = completion
        name = source.recipe.name(of: key)
        if case .url(let url) = origin { fetch(url) } else { search() }
    }

    /// The bytes that have arrived, and the memory of their decoder.
    var size: Int { bytes.bytes.count + memory }

    func reprioritize(_ priority: Priority, rank: Int) {
        order = (priority, rank)
        lookup?.reprioritize(priority, rank: rank)
    }

    func cancel() {
        isOver = true
        operation?.cancel()
        lookup?.cancel()
    }

    private func end(_ result: Result<FetchedPicture<Recipe.Value>.Content, any Error>) {
        guard !isOver else { return }
        isOver = true
        if !isWorthFinishing(result) { operation?.cancel() }
        completion(result.map { FetchedPicture($0) })
    }

    /// Returns whether a transfer continues to its end, so that its transport can cache the whole
    /// body: for a decoded picture, if at least half of the bytes have arrived.
    private func isWorthFinishing(
        _ result: Result<FetchedPicture<Recipe.Value>.Content, any Error>
    ) -> Bool {
        guard case .success(.decoded) = result else { return false }
        return bytes.expected.map { bytes.bytes.count >= $0 / 2 } ?? true
    }

    /// Looks for the value on disk and, if it isn't there, hands the file to the helper.
    private func search() {
        guard let reading = source.reading(key) else { return abandon(nil) }
        lookup = source.maintenance.lookUp(order.priority, rank: order.rank) {
            let reading = reading.begun()
            return (Result { () throws(PictureError) in try reading.lookUp() }, reading.stamp)
        } then: { [weak self] result, stamp in
            switch result {
            case .success(.found(let value)): self?.end(.success(.found(value)))
            case .success(.file(let input)): self?.decode(input, stamp)
            case .failure(let error): self?.end(.success(.failed(error, stamp)))
            }
        } otherwise: { [weak self] in
            self?.abandon($0)
        }
    }

    /// Ends with a transient error because no worker was available.
    private func abandon(_ error: (any Error)?) {
        let reason = PictureError.Reason.cannotRead(errno: EAGAIN)
        end(.failure(error ?? PictureError(file: name, reason: reason)))
    }

    // MARK: - Decoding by a helper

    private func decode(_ input: PictureHelperInput, _ stamp: FileStamp?) {
        guard case .helper(let helper) = source.decoding, !isOver else { return }
        operation = helper.decode(
            input, named: name, fitting: source.recipe.decodingSize(of: key, nil),
            limits: source.limits
        ) { [weak self] result in
            switch result {
            case .success(let picture):
                self?.source.count(\.decodedByHelpers)
                self?.end(.success(.decoded(picture, stamp)))
            case .failure(let error as PictureError):
                self?.end(.success(.failed(error, stamp)))
            case .failure(let error): self?.end(.failure(error))
            }
        }
    }

    // MARK: - Fetching from a server

    private func fetch(_ url: String) {
        guard !isOver else { return }
        operation = source.transport?.fetch(url) { [weak self] event in
            guard let self else { return }
            receive(event)
            guard case .ended(nil) = event else { return }
            source.transferred(key, length: bytes.bytes.count)
        }
    }

    private func receive(_ event: PictureTransportEvent) {
        switch event {
        case .began(let length):
            bytes = ArrivingBytes(expected: length)
            (job, memory) = (nil, 0)
            return check(fileBytes: length ?? 0)
        case .bytes(let more):
            bytes.append(more)
            check(fileBytes: bytes.bytes.count)
        case .ended(let error?): return end(.failure(error))
        case .ended(nil):
            bytes.finish()
            if case .helper = source.decoding { return decode(.bytes(bytes.bytes), nil) }
        }
        guard case .inProcess = source.decoding, !isOver else { return }
        completion.process { [weak self] slot in
            guard let self, !isOver else { return .skipped }
            return step(in: slot)
        }
    }

    /// Ends with an error if a file may not have this many bytes.
    private func check(fileBytes count: Int) {
        do throws(PictureError.Reason) {
            try source.limits.check(fileBytes: count)
        } catch {
            end(.success(.failed(PictureError(file: name, reason: error), nil)))
        }
    }

    /// Decodes the bytes that have arrived.
    private func step(in slot: borrowing IdleSlot) -> JobProgress {
        let job =
            self.job
            ?? PictureJob(
                arriving: bytes, named: name, fitting: source.recipe.targetSize(of: key),
                limits: source.limits, options: PictureJob.Options(decoders: source.decoders))
        self.job = job
        do throws(PictureError) {
            repeat {
                if source.belongsOnWorker(job.header, key) {
                    // Decoding what has arrived would block the loop for too long.
                    if bytes.isComplete { decodeOnWorker() }
                    return .done
                }
                try source.checkSteps(job.header, key)
                if memory == 0, let header = job.header {
                    memory = header.estimatedMemory
                    // The loader is told of much memory before it is taken.
                    if memory >= PicturePipeline<Recipe>.muchMemory { return .again }
                }
                switch try job.step() {
                case .more: break
                case .waiting: return .done
                case .refined(let picture): completion.show(FetchedPicture(.decoded(picture, nil)))
                case .done(let picture):
                    source.count(\.decodedOnLoop)
                    end(.success(.decoded(picture, nil)))
                    return .done
                }
                source.onStep?(key)
            } while !slot.isOver
        } catch {
            end(.success(.failed(error, nil)))
            return .done
        }
        return .again
    }

    private func decodeOnWorker() {
        let (bytes, name, targetSize) = (bytes.bytes, name, source.recipe.targetSize(of: key))
        let (limits, decoders) = (source.limits, source.decoders)
        lookup = source.maintenance.lookUp(order.priority, rank: order.rank) {
            Result { () throws(PictureError) in
                let job = PictureJob(
                    bytes: bytes, named: name, fitting: targetSize, limits: limits,
                    options: PictureJob.Options(givesPreviews: false, decoders: decoders))
                // The file refers to the job weakly, so the job must live until the end.
                defer { withExtendedLifetime(job) {} }
                return try job.decode()
            }
        } then: { [weak self] result in
            switch result {
            case .success(let picture):
                self?.source.count(\.decodedOnWorkers)
                self?.end(.success(.decoded(picture, nil)))
            case .failure(let error): self?.end(.success(.failed(error, nil)))
            }
        } otherwise: { [weak self] in
            self?.abandon($0)
        }
    }
}

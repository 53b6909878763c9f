internal import DeferredLoading
internal import LullLibC
internal import IdleLoop

/// A pending load of a picture that comes from a server, or that another process decodes.
final class PictureOperation<Recipe: PictureRecipe>: PendingOperation {
    typealias Fetched = FetchedPicture<Recipe.Value>

    private let task: PictureTask<Recipe>
    private let source: PicturePipeline<Recipe>
    private let completion: OperationCompletion<Fetched>
    /// The operation in progress, which is cancelled together with this one.
    private var operation: (any PendingOperation)?
    private var lookup: IdleJob?
    /// The priority and rank of its job, which its work on workers has, too.
    private var order = (priority: Priority.highest, rank: 0)
    private var isOver = false
    private var bytes = ArrivingBytes()
    /// The decoding of what has arrived, as far as it has begun.
    private var slices: PictureSlices<Recipe>?

    init(
        _ task: PictureTask<Recipe>, of source: PicturePipeline<Recipe>,
        _ completion: OperationCompletion<Fetched>
    ) {
        self.task = task
        self.source = source
        self.completion = completion
        if case .url(let url) = task.origin { fetch(url) } else { run { [task] in task.run() } }
    }

    /// The bytes that have arrived, and the memory of their decoder.
    var size: Int { bytes.bytes.count + (slices?.sequence.size ?? 0) }

    func reprioritize(_ priority: Priority, rank: Int) {
        order = (priority, rank)
        lookup?.reprioritize(priority, rank: rank)
    }

    func cancel() {
        isOver = true
        operation?.cancel()
        lookup?.cancel()
    }

    private func end(_ result: Result<Fetched.Content, any Error>) {
        guard !isOver else { return }
        isOver = true
        if !isWorthFinishing(result) { operation?.cancel() }
        completion(result.map { FetchedPicture($0) })
    }

    /// Returns whether a transfer continues to its end, so that its transport can cache the whole
    /// body: for a decoded picture, if at least half of the bytes have arrived.
    private func isWorthFinishing(_ result: Result<Fetched.Content, any Error>) -> Bool {
        guard case .success(.decoded) = result else { return false }
        return bytes.expected.map { bytes.bytes.count >= $0 / 2 } ?? true
    }

    /// Has a worker do its part, and then perhaps the helper.
    private func run(_ work: @escaping @Sendable () -> Fetched) {
        lookup = source.maintenance.run(order.priority, rank: order.rank, work) {
            [weak self] fetched in
            guard let self else { return }
            switch fetched?.content {
            case .origin(let origin, let stamp)?: decode(origin, stamp)
            case let content?: end(.success(content))
            // No worker was available.
            case nil: end(.failure(task.error(.cannotRead(errno: EAGAIN))))
            }
        }
    }

    private func decode(_ origin: PictureOrigin, _ stamp: FileStamp?) {
        guard !isOver else { return }
        guard case .helper(let helper) = source.decoding else {
            return end(.success(.origin(origin, stamp)))
        }
        operation = helper.decode(
            origin, named: task.name, fitting: task.decodingSize(nil),
            limits: task.limits
        ) { [weak self] result in
            switch result {
            case .success(let picture):
                self?.source.statistics.decodedByHelpers += 1
                self?.end(.success(.decoded(picture, stamp)))
            case .failure(let error as PictureError):
                self?.end(.success(.failed(error, stamp)))
            case .failure(let error): self?.end(.failure(error))
            }
        }
    }

    // MARK: - Fetching from a server

    private func fetch(_ url: String) {
        operation = source.transport?.fetch(url) { [weak self] event in
            guard let self else { return }
            receive(event)
            guard case .ended(nil) = event else { return }
            source.history.transferred(task.key, length: bytes.bytes.count)
        }
    }

    private func receive(_ event: PictureTransportEvent) {
        switch event {
        case .began(let length):
            (bytes, slices) = (ArrivingBytes(expected: length), nil)
            return check(fileBytes: length ?? 0)
        case .bytes(let more):
            bytes.append(more)
            check(fileBytes: bytes.bytes.count)
        case .ended(let error?): return end(.failure(error))
        case .ended(nil):
            bytes.finish()
            if case .helper = source.decoding { return decode(.bytes(bytes.bytes), nil) }
        }
        if case .helper = source.decoding { return }
        guard !isOver else { return }
        completion.process { [weak self] slot in
            guard let self, !isOver else { return .skipped }
            return step(in: slot)
        }
    }

    /// Ends with an error if a file may not have this many bytes.
    private func check(fileBytes count: Int) {
        do throws(PictureError.Reason) {
            try task.limits.check(fileBytes: count)
        } catch {
            end(.success(.failed(task.error(error), nil)))
        }
    }

    /// Decodes the bytes that have arrived.
    private func step(in slot: borrowing IdleSlot) -> JobProgress {
        var slices = slices ?? source.slices(.decoding(task, arriving: bytes))
        defer { self.slices = slices }
        let sequence = slices.sequence
        do throws(PictureError) {
            if source.belongsOnWorker(sequence) {
                // Decoding what has arrived would block the loop for too long.
                guard bytes.isComplete else { return .done }
                var task = task
                task.origin = .bytes(bytes.bytes)
                run { [task] in task.run(isArrived: true) }
                return .done
            }
            let step = try slices.run(in: slot) { [source] in
                $0.picture != nil || source.belongsOnWorker($0)
            }
            if let picture = sequence.picture {
                source.statistics.decodedInSlices += 1
                end(.success(.decoded(picture, nil)))
                return .done
            }
            if case .refined(let picture) = step {
                completion.show(FetchedPicture(.decoded(picture, nil)))
            }
            if case .waiting = step { return .done }
            return .again
        } catch {
            end(.success(.failed(error, nil)))
            return .done
        }
    }
}

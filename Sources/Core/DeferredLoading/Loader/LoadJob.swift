internal import IdleLoop

/// A loader's job in its queue: the slices of a key's load, after its fetch if there is one.
///
/// Each of its calls is a change of the loader, so that whatever the source and the load call back is
/// put off until it is complete. It asks the loader only as long as it is the job of its entry: no entry
/// of a loader that is closed or released has one.
final class LoadJob<Key: Hashable, Value> {
    typealias Entry = KeyedEntry<Key, Value>
    typealias Loader = DeferredLoader<Key, Value>

    private unowned let loader: Loader
    /// The entry, until the job has ended.
    private var entry: Entry?
    private let number: UInt64
    /// The kind of the load, as far as it was known before.
    private let kind: WorkKind?

    /// The job that an entry was given last.
    init(of entry: Entry, _ kind: WorkKind?, in loader: Loader) {
        self.kind = kind
        self.loader = loader
        self.entry = entry
        number = entry.job?.number ?? 0
    }

    /// Its entry as long as it is the key's job, for the key's current content.
    private var current: Entry? {
        guard let entry, let job = entry.job, job.number == number, !job.isOutdated else {
            return nil
        }
        return entry
    }

    // MARK: - The fetch

    func hold(_ operation: any PendingOperation) {
        entry?.operation = operation
    }

    /// Shows a part of an unfinished fetch.
    func show<Source: LoadSource>(_ part: Source.Fetched, from source: Source)
    where Source.Key == Key, Source.Value == Value {
        guard let entry = current, entry.isFetching else { return }
        let loader = loader
        loader.begin()
        if let value = source.preview(of: entry.key, fetched: part) {
            loader.show(value, of: entry)
            loader.perform(
                .refined(entry, cost: .zero, bytes: fetchBytes(of: entry, in: loader)))
        }
        loader.end()
    }

    func store<Source: LoadSource>(_ fetched: TimedFetch<Source.Fetched>, from source: Source)
    where Source.Key == Key, Source.Value == Value {
        guard let entry, entry.job?.number == number else { return }
        let (loader, key) = (loader, entry.key)
        loader.begin()
        // Some sizes are known only now.
        let kind = kind.map { WorkKind($0.number, size: $0.size ?? source.kind(of: key)?.size) }
        loader.fetches.noteEnd(of: kind, took: fetched.took)
        if let entry = current {
            let bytes = source.size(ofFetched: fetched.value)
            entry.add { $0.fetched = { try source.load(key, fetched: fetched.value) } }
            loader.perform(
                .fetched(entry, bytes: bytes, start: fetched.start, took: fetched.took))
        }
        loader.end()
    }

    /// Runs a slice of an unfinished fetch's own work on the loop.
    func process(_ part: OperationCompletion<Void>.Part, in slot: borrowing IdleSlot) throws
        -> JobProgress
    {
        guard let entry = current, entry.isFetching else { return .skipped }
        let loader = loader
        loader.begin()
        defer { loader.end() }
        let start = slot.now
        let progress = try part(slot)
        let bytes = fetchBytes(of: entry, in: loader)
        loader.perform(.sliced(entry, cost: start.duration(to: slot.now), bytes: bytes))
        return progress
    }

    /// Returns the number of bytes that a running fetch holds; nil if bytes aren't limited.
    private func fetchBytes(of entry: Entry, in loader: Loader) -> Int? {
        loader.bytes(of: { entry.operation?.size ?? 0 }, showing: { entry.preview })
    }

    // MARK: - The load

    func run(in slot: borrowing IdleSlot) throws -> JobProgress {
        guard let entry = current, !entry.isSettled else { return .skipped }
        let loader = loader
        // What was fetched and is wanted no more waits until it is wanted again.
        guard entry.isWanted || entry.stage == .begun else { return .waiting }
        loader.begin()
        defer { loader.end() }
        let start = slot.now
        if loader.machine.isFirstSlice(entry) { loader.perform(.starts(entry)) }
        let load: any Load<Value>
        if let begun = entry.contents?.load {
            load = begun
        } else {
            load = try entry.contents?.fetched?() ?? loader.source.begin(entry.key)
            entry.add { $0.load = load }
            loader.perform(.begun(entry))
            // Begun, it may be too much for the memory.
            guard current != nil else { return .skipped }
        }
        let step: LoadStep<Value>
        do {
            step = try load.step(in: slot)
        } catch {
            loader.perform(.sliced(entry, cost: start.duration(to: slot.now), bytes: nil))
            throw error
        }
        let cost = start.duration(to: slot.now)
        let bytes = {
            loader.bytes(of: { entry.fetchedBytes + load.size }, showing: { entry.preview })
        }
        switch step {
        case .done(let value):
            if let kind { loader.costs.learn(entry.spent + cost, of: kind) }
            let bytes = loader.source.size(of: value)
            loader.settle(entry, .loaded(value))
            loader.perform(.loaded(entry, cost: cost, bytes: bytes))
            return .done
        case .refined(let value):
            loader.show(value, of: entry)
            loader.perform(.refined(entry, cost: cost, bytes: bytes()))
        case .more: loader.perform(.sliced(entry, cost: cost, bytes: bytes()))
        case .waiting:
            loader.perform(.sliced(entry, cost: cost, bytes: bytes(), waits: true))
            return .waiting
        }
        return .again
    }

    // MARK: - The end

    /// Tells the loader that it has ended.
    func end(_ end: JobEnd) {
        guard entry?.job?.number == number else { return entry = nil }
        loader.take(end, of: self)
    }

    /// Handles its end, inside a change.
    func take(_ end: JobEnd) {
        guard let entry, entry.job?.number == number else { return }
        defer { self.entry = nil }
        if entry.isFetching {  // only its preview is left
            entry.operation = nil
            let bytes = fetchBytes(of: entry, in: loader)
            loader.perform(.sliced(entry, cost: .zero, bytes: bytes))
        }
        var failure: LoadEvent.Failure?
        if case .failed(let error) = end, let entry = current, !entry.isSettled {
            loader.fetches.noteEnd()
            failure = loader.failure(of: entry.key, error)
            loader.settle(entry, .failed(error, nextTry: nil))
        }
        loader.perform(.jobEnded(entry, failure))
    }
}

internal import IdleLoop

/// A loader's job in its queue: the slices of a key's load, after its fetch if there is one.
///
/// It holds neither the loader nor the entry of its key. Its results are ignored if the key has
/// another job, or another generation, by then.
final class LoadJob<Key: Hashable, Value> {
    typealias Entry = KeyedEntry<Key, Value>

    private weak var loader: DeferredLoader<Key, Value>?
    private weak var entry: Entry?
    private let number: UInt64
    private let generation: UInt64
    /// The kind of the load, as far as it was known before.
    private let kind: LoadKind?

    /// The job that an entry was given last.
    init(of entry: Entry, _ kind: LoadKind?, in loader: DeferredLoader<Key, Value>) {
        self.kind = kind
        self.loader = loader
        self.entry = entry
        number = entry.job?.number ?? 0
        generation = entry.generation
    }

    /// Returns whether it is the key's current job, for the key's current content.
    private func isCurrent(_ entry: Entry) -> Bool {
        isJob(of: entry) && entry.generation == generation
    }

    private func isJob(of entry: Entry) -> Bool {
        !entry.isGone && entry.job?.number == number
    }

    // MARK: - The fetch

    func hold(_ operation: any PendingOperation) {
        entry?.operation = operation
    }

    /// Shows a part of an unfinished fetch.
    func show<Source: LoadSource>(_ part: Source.Fetched, from source: Source)
    where Source.Key == Key, Source.Value == Value {
        guard let loader, loader.isOpen, let entry, isCurrent(entry), entry.isFetching,
            let value = source.preview(of: entry.key, fetched: part), isCurrent(entry),
            entry.isFetching
        else { return }
        let bytes = fetchBytes(of: entry, showing: value)
        guard isCurrent(entry), entry.isFetching else { return }
        let last = entry.contents?.shown
        defer { withExtendedLifetime(last) {} }  // its release may call back
        entry.add { $0.shown = .refined(value, share: nil) }
        loader.perform(.refined(entry, cost: .zero, bytes: bytes))
    }

    func store<Source: LoadSource>(_ fetched: TimedFetch<Source.Fetched>, from source: Source)
    where Source.Key == Key, Source.Value == Value {
        guard let loader, let entry else { return }
        // Some sizes are known only now.
        let kind = kind.map {
            LoadKind($0.number, size: $0.size ?? source.kind(of: entry.key)?.size)
        }
        loader.fetches.noteEnd(of: kind, took: fetched.took)
        guard isCurrent(entry) else { return }
        let bytes = source.size(ofFetched: fetched.value)
        guard isCurrent(entry) else { return }
        entry.add { contents in
            contents.fetched = { [key = entry.key] in
                try source.load(key, fetched: fetched.value)
            }
        }
        loader.perform(
            .fetched(entry, bytes: bytes, start: fetched.start, took: fetched.took))
    }

    /// Runs a slice of an unfinished fetch's own work on the loop.
    func process(_ part: OperationCompletion<Void>.Part, in slot: borrowing IdleSlot) throws
        -> JobProgress
    {
        guard let loader, loader.isOpen, let entry, isCurrent(entry), entry.isFetching else {
            return .skipped
        }
        let start = slot.now
        let progress = try part(slot)
        let cost = start.duration(to: slot.now)
        guard isCurrent(entry), entry.isFetching else { return progress }
        let bytes = fetchBytes(of: entry, showing: entry.contents?.shown.shown)
        guard isCurrent(entry), entry.isFetching else { return progress }
        loader.perform(.sliced(entry, cost: cost, bytes: bytes))
        return progress
    }

    /// Returns the number of bytes that a running fetch holds; nil if bytes aren't limited.
    private func fetchBytes(of entry: Entry, showing preview: Value?) -> Int? {
        guard let loader, loader.configuration.byteLimit != nil else { return nil }
        let previewSize = preview.map { loader.source.size(of: $0) } ?? 0
        return previewSize + (entry.operation?.size ?? 0)
    }

    // MARK: - The load

    func run(in slot: borrowing IdleSlot) throws -> JobProgress {
        guard let loader, loader.isOpen, let entry, isCurrent(entry), !entry.life.isSettled else {
            return .skipped
        }
        // An unwanted load continues only while no other is ready.
        if entry.life.claim == .finishing, loader.machine.table.sums.ready > 0 { return .skipped }
        do {
            return try step(entry, of: loader, in: slot)
        } catch {
            guard isCurrent(entry) else { return .skipped }
            throw error
        }
    }

    private func step(
        _ entry: Entry, of loader: DeferredLoader<Key, Value>, in slot: borrowing IdleSlot
    ) throws -> JobProgress {
        let start = slot.now
        if loader.machine.isFirstSlice(entry) {
            loader.perform(.starts(entry))
            guard isCurrent(entry) else { return .skipped }
        }
        let load: any Load<Value>
        if let begun = entry.contents?.load {
            load = begun
        } else {
            load = try entry.contents?.fetched?() ?? loader.source.begin(entry.key)
            guard isCurrent(entry) else { return .skipped }
            entry.add { $0.load = load }
            loader.perform(.begun(entry))
            guard isCurrent(entry) else { return .skipped }
        }
        let step: LoadStep<Value>
        do {
            step = try load.step(in: slot)
        } catch {
            let cost = start.duration(to: slot.now)
            if isCurrent(entry) { loader.perform(.sliced(entry, cost: cost, bytes: nil)) }
            throw error
        }
        guard isCurrent(entry) else { return .skipped }
        let cost = start.duration(to: slot.now)
        switch step {
        case .done(let value):
            let bytes = loader.source.size(of: value)
            guard isCurrent(entry) else { return .skipped }
            if let kind { loader.costs.learn(entry.spent + cost, of: kind) }
            let done = entry.settle(.loaded(value))
            defer { withExtendedLifetime(done) {} }  // its release may call back
            loader.perform(.loaded(entry, cost: cost, bytes: bytes))
            return .done
        case .refined(let value):
            let bytes = bytes(of: entry, in: loader, load, showing: value)
            guard isCurrent(entry) else { return .skipped }
            let last = entry.contents?.shown
            defer { withExtendedLifetime(last) {} }  // its release may call back
            entry.add { $0.shown = .refined(value, share: nil) }
            loader.perform(.refined(entry, cost: cost, bytes: bytes))
        case .more, .waiting:
            let bytes = bytes(
                of: entry, in: loader, load, showing: entry.contents?.shown.shown)
            guard isCurrent(entry) else { return .skipped }
            var waits = false
            if case .waiting = step { waits = true }
            loader.perform(.sliced(entry, cost: cost, bytes: bytes, waits: waits))
            if waits, isCurrent(entry) { return .waiting }
        }
        return isCurrent(entry) ? .again : .skipped
    }

    /// Returns the number of bytes that a begun load holds; nil if bytes aren't limited.
    private func bytes(
        of entry: Entry, in loader: DeferredLoader<Key, Value>, _ load: any Load<Value>,
        showing preview: @autoclosure () -> Value?
    ) -> Int? {
        guard loader.configuration.byteLimit != nil else { return nil }
        let previewSize = preview().map { loader.source.size(of: $0) } ?? 0
        return entry.fetchedBytes + load.size + previewSize
    }

    func end(_ end: JobEnd) {
        guard let loader, let entry else { return }
        guard loader.isOpen, isQueued(entry) else { return loader.runEffects() }
        if entry.isFetching {  // only its preview is left
            entry.operation = nil
            let bytes = fetchBytes(of: entry, showing: entry.contents?.shown.shown)
            guard isQueued(entry) else { return }
            if entry.isFetching { loader.perform(.sliced(entry, cost: .zero, bytes: bytes)) }
            guard isQueued(entry) else { return }
        }
        var failure: LoadEvent.Failure?
        if case .failed(let error) = end, isCurrent(entry), !entry.life.isSettled {
            loader.fetches.noteEnd()
            failure = loader.failure(of: entry, error)
            guard isQueued(entry) else { return }
            if !isCurrent(entry) || entry.life.isSettled { failure = nil }
        }
        let done = failure.map { entry.settle(.failed($0.error, nextTry: nil)) }
        defer { withExtendedLifetime(done) {} }  // its release may call back
        loader.perform(.jobEnded(entry, failure))
    }

    private func isQueued(_ entry: Entry) -> Bool {
        isJob(of: entry) && entry.life.place == .queued
    }
}

internal import IdleLoop
internal import LullLibC

// The calls by which its owner sets, drops, retries and evicts results.
extension DeferredLoader {
    /// Lets a key's load continue after it has returned ``LoadStep/waiting``; returns false if the key
    /// has no unfinished load.
    ///
    /// It may be called from inside any callback, the load's own step included. A load that doesn't
    /// wait isn't affected.
    @discardableResult
    public func resume(_ key: Key) -> Bool { queue.resume(key) }

    /// Retries a failed key at once, as if for the first time, since it was requested explicitly.
    ///
    /// If nobody wants the key, it is loaded when somebody does. Returns false if it has not
    /// failed.
    @discardableResult
    public func retry(_ key: Key) -> Bool {
        guard entries[key]?.stage == .failed else { return false }
        call { [self] in
            guard let entry = entries[key], entry.stage == .failed else { return }
            source.forgetFailure(of: key)
            send { $0.retryAnew(entry) }
        }
        return true
    }

    /// Drops a key's value or failure because the content of the key has changed.
    ///
    /// If the key is wanted, it is reloaded; a result that is on its way is discarded.
    public func invalidate(_ key: Key) {
        call { [self] in
            source.forgetFailure(of: key)
            if let entry = entries[key] { send { $0.invalidate(entry) } }
        }
    }

    /// Sets a key's result without loading it here: a value that was kept from an earlier run, for
    /// example.
    ///
    /// A waiting or unfinished load of the key is cancelled.
    public func settle(_ key: Key, _ result: Result<Value, any Error>) {
        call { [self] in
            guard isOpen else { return }
            if let entry = entries[key] { send { $0.startOver(entry) } }
            let entry = entry(of: key)
            switch result {
            case .failure(let error): fail(entry, error)
            case .success(let value):
                let bytes = source.size(of: value)
                settle(entry, .loaded(value))
                send { $0.finish(entry, bytes: bytes) }
            }
        }
    }

    /// Evicts values until only the given share is kept, because memory is short elsewhere.
    ///
    /// Loads that nobody wants any more are dropped first, then unwanted values, the least recently
    /// used first. Subscribed and wanted values stay: they would only be reloaded. O(n log n). Traps if
    /// the share isn't from 0 to 1.
    public func trim(to share: Double) {
        precondition((0...1).contains(share), "a share is from 0 to 1")
        call { [self] in send { $0.trim(to: share) } }
    }

    /// Changes the maximum number of bytes kept, ``LoaderConfiguration/byteLimit`` until then.
    ///
    /// A service keeps more while it has many users. What exceeds a lower limit is evicted at once,
    /// in the usual order. O(log n) for each evicted value.
    ///
    /// - Parameter count: The limit; a loader without one doesn't learn the sizes of its values, and
    ///   can't be given one.
    ///
    /// Traps if the count is less than one, or the loader has no limit of bytes.
    public func limitBytes(to count: Int) {
        precondition(count > 0, "a loader keeps some bytes")
        precondition(
            configuration.byteLimit != nil, "a loader without a limit of bytes doesn't count them")
        call { [self] in send { $0.limitBytes(to: count) } }
    }

    // MARK: - Results of its own jobs

    /// Replaces all results of a key; the old ones are released when the change is complete.
    func settle(_ entry: Entry, _ state: LoadState<Value>) {
        if let old = entry.release() { releaseLater(old) }
        entry.shown = state
    }

    /// Fails a key, which is retried if the source says so.
    func fail(_ entry: Entry, _ error: any Error) {
        let retry = source.retry(entry.key, after: error, failures: entry.failures + 1)
        settle(entry, .failed(error, nextTry: nil))
        send { $0.fail(entry, error, retry) }
    }
}

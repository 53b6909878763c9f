internal import IdleLoop
internal import ImageLoading

// Responses on disk.
extension HTTPLoader {
    /// Looks for a stored response before a transfer is started.
    func look(for transfer: HTTPTransfer) {
        guard let cache, let key = transfer.caching?.key else { return }
        transfer.place = .looking
        let sender = configuration.sender
        transfer.lookup = onDisk(.highest) {
            cache.find(key, for: sender)
        } then: { [weak self] found in
            self?.looked(for: transfer, found ?? nil)
        }
    }

    private func looked(for transfer: HTTPTransfer, _ found: (head: StoredHead, body: [UInt8])?) {
        guard let cache, var caching = transfer.caching, transfer.place == .looking else { return }
        transfer.place = .waiting
        let confirmed = caching.confirmed.take()
        let isUsable =
            if confirmed != nil {
                found?.head.version == caching.stored?.version
            } else {
                found?.head.freshness.isFresh(at: cache.seconds) == true
            }
        guard let found, isUsable else {
            // A response that was revalidated and has been removed since is requested again.
            caching.stored = confirmed == nil ? found?.head : nil
            transfer.caching = caching
            return fillPlaces()
        }
        waiting.removeAll { $0 === transfer }
        transfer.place = .nowhere
        if let confirmed, confirmed != found.head {
            save(confirmed, confirmed.isUseful ? [found.body] : nil, for: caching.key)
        }
        if confirmed == nil { statistics.reused += 1 }
        var response = HTTPLoadResponse((confirmed ?? found.head).head, url: transfer.request.url)
        response.bytes = found.body
        tell(transfer, .success(response))
    }

    /// Stores a response, or looks for the stored one if the server has revalidated it.
    ///
    /// - Returns: Whether the transfer continues; if not, its result is to be delivered.
    func consultCache(
        _ transfer: HTTPTransfer, _ result: Result<HTTPLoadResponse, HTTPLoadError>
    ) -> Bool {
        guard let cache, isOpen, var caching = transfer.caching,
            case .success(let response) = result
        else { return false }
        let head = StoredHead(
            transfer.head, sender: configuration.sender, asked: caching.asked,
            answered: cache.seconds)
        guard response.status == 304, let stored = caching.stored else {
            let body = head.isUseful ? transfer.pieces : nil
            if body != nil || caching.stored != nil { save(head, body, for: caching.key) }
            return false
        }
        caching.confirmed = stored.refreshed(with: head)
        if caching.confirmed == nil { caching.stored = nil }
        transfer.caching = caching
        transfer.place = .waiting
        waiting.append(transfer)
        if caching.confirmed != nil {
            statistics.confirmed += 1
            look(for: transfer)
        }
        return true
    }

    /// Stores a body, or removes the stored one, unless as many writes are pending as there are
    /// connections.
    private func save(_ head: StoredHead, _ body: [[UInt8]]?, for key: String) {
        guard let cache, saves < configuration.connections else { return }
        saves += 1
        onDisk(.lowest) {
            if let body {
                cache.store(pieces: body, metadata: head.bytes, for: key)
            } else {
                cache.remove(key)
            }
        } then: { [weak self] _ in
            self?.saves -= 1
            self?.sweep()
        }
    }

    /// Evicts what exceeds the cache's bound, in small steps.
    private func sweep() {
        guard let cache, isOpen else { return }
        onDisk(.lowest) {
            cache.stepSweep()
        } then: { [weak self] isDone in
            if isDone == false { self?.sweep() }
        }
    }

    /// Does work that blocks on the disk, on a worker or in a lull, and calls `then` with its
    /// result; with nil if it wasn't done.
    @discardableResult
    private func onDisk<Output: Sendable>(
        _ priority: Priority, _ work: @escaping @Sendable () -> Output,
        then: @escaping (Output?) -> Void
    ) -> IdleJob? {
        guard let disk else { return nil }
        jobs += 1
        var output: Output?
        guard let workers else {
            return disk.submit(jobs, priority: priority, onEnd: { _ in then(output) }) { _ in
                output = work()
                return .done
            }
        }
        return disk.submit(
            jobs, priority: priority, on: workers, onEnd: { _ in then(output) }, work: work
        ) {
            output = $0
            return { _ in .done }
        }
    }
}

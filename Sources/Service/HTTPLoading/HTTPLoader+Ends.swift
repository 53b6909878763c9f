internal import CCurl
internal import IdleLoop

// The completion and the cancellation of transfers.
extension HTTPLoader {
    /// Removes the transfers that have ended, starts others in their place, and only then calls the
    /// callbacks of those that ended and of those that made progress.
    func progressed(_ ends: [(HTTPTransfer, CURLcode)]) {
        let results = ends.map { transfer, code in
            (transfer, transfer.result(code, configuration))
        }
        for (transfer, _) in results { leave(transfer) }
        let told = results.filter { !consultCache($0, $1) }
        if !results.isEmpty { fillPlaces() }
        for (transfer, result) in told { tell(transfer, result) }
        for transfer in running { transfer.deliverProgress() }
    }

    func broke(_ error: LoopError) {
        let all = running
        for transfer in all { leave(transfer) }
        engine = nil
        fillPlaces()
        for transfer in all { tell(transfer, .failure(.connection("\(error)"))) }
    }

    func tell(_ transfer: HTTPTransfer, _ result: Result<HTTPLoadResponse, HTTPLoadError>) {
        let result = result.map(transfer.deliver)
        guard transfer.isAwaited else { return }
        switch result {
        case .success:
            statistics.done += 1
            statistics.bytes += transfer.received
        case .failure: statistics.failed += 1
        }
        transfer.tell(result)
    }

    /// Fails a transfer before it was started, after the caller has returned.
    func refuse(_ transfer: HTTPTransfer, _ error: HTTPLoadError) {
        transfer.place = .nowhere
        refused.append(transfer)
        guard !loop.isClosed else { return }
        loop.schedule(after: .zero) { [weak self] in
            self?.refused.removeAll { $0 === transfer }
            self?.tell(transfer, .failure(error))
        }
    }

    /// Releases a transfer that was cancelled.
    func takeBack(_ transfer: HTTPTransfer) {
        statistics.cancelled += 1
        switch transfer.place {
        case .looking, .waiting:
            transfer.place = .nowhere
            transfer.lookup?.cancel()
            waiting.removeAll { $0 === transfer }
        case .running:
            // A name lookup has a thread, so it keeps its connection's place until it ends: there
            // are never more lookups than connections.
            guard !transfer.isLookingUp else { return }
            leave(transfer)
            fillPlaces()
        case .nowhere: refused.removeAll { $0 === transfer }
        }
    }
}

internal import CCurl
internal import IdleLoop

// Ends of transfers.
extension HTTPLoader {
    /// Takes what has ended, gives its places to others, and only then tells who has asked, of that
    /// and of what has come for those that go on.
    func progressed(_ ends: [(HTTPTransfer, CURLcode)]) {
        let results = ends.map { transfer, code in
            (transfer, transfer.result(code, configuration))
        }
        for (transfer, _) in results { leave(transfer) }
        let told = results.filter { !consultCache($0, $1) }
        if !results.isEmpty { fillPlaces() }
        for (transfer, result) in told { tell(transfer, result) }
        for transfer in running { transfer.deliverNews() }
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

    /// Ends a transfer before it was begun, when whoever has asked has returned.
    func refuse(_ transfer: HTTPTransfer, _ error: HTTPLoadError) {
        transfer.place = .nowhere
        refused.append(transfer)
        guard !loop.isClosed else { return }
        loop.schedule(after: .zero) { [weak self] in
            self?.refused.removeAll { $0 === transfer }
            self?.tell(transfer, .failure(error))
        }
    }

    /// Lets go of a transfer that nobody waits for any more.
    func takeBack(_ transfer: HTTPTransfer) {
        statistics.cancelled += 1
        switch transfer.place {
        case .looking, .waiting:
            transfer.place = .nowhere
            transfer.lookup?.cancel()
            waiting.removeAll { $0 === transfer }
        case .running:
            // The thread of a look-up has its place until it ends, so that there are never more of them
            // than places.
            guard !transfer.isLookingUp else { return }
            leave(transfer)
            fillPlaces()
        case .nowhere: refused.removeAll { $0 === transfer }
        }
    }
}

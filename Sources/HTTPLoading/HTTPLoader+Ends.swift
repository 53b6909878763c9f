internal import CCurl
internal import IdleLoop

// How transfers end.
extension HTTPLoader {
    /// Takes what has ended, gives its places to others, and only then tells who has asked.
    func ended(_ ends: [(HTTPTransfer, CURLcode)]) {
        let results = ends.map { transfer, code in
            (transfer, transfer.result(code, configuration))
        }
        for (transfer, _) in ends { leave(transfer) }
        fillPlaces()
        for (transfer, result) in results { tell(transfer, result) }
    }

    func broke(_ error: LoopError) {
        let all = Array(running.values)
        for transfer in all { leave(transfer) }
        engine = nil
        fillPlaces()
        for transfer in all { tell(transfer, .failure(.connection("\(error)"))) }
    }

    func tell(_ transfer: HTTPTransfer, _ result: Result<HTTPLoadResponse, HTTPLoadError>) {
        guard transfer.isAwaited else { return }
        switch result {
        case .success(let body):
            statistics.done += 1
            statistics.bytes += body.bytes.count
        case .failure: statistics.failed += 1
        }
        transfer.tell(result)
    }

    func refuse(_ transfer: HTTPTransfer, _ error: HTTPLoadError) {
        transfer.place = .nowhere
        refused.append((transfer, error))
        guard refusal == nil, !loop.isClosed else { return }
        refusal = loop.schedule(at: loop.clock.now) { [weak self] in self?.tellRefused() }
    }

    private func tellRefused() {
        refusal = nil
        let refused = refused
        self.refused = []
        for (transfer, error) in refused { tell(transfer, .failure(error)) }
    }

    /// Lets go of a transfer that nobody waits for any more.
    func takeBack(_ transfer: HTTPTransfer) {
        statistics.cancelled += 1
        switch transfer.place {
        case .waiting:
            transfer.place = .nowhere
            waiting.removeAll { $0 === transfer }
        case .running:
            leave(transfer)
            fillPlaces()
        case .nowhere: refused.removeAll { $0.transfer === transfer }
        }
    }
}

import Glibc
import IdleLoop
import ImageLoading

// Who gets which picture, and what becomes of helpers.
extension IsolatedDecoder {
    /// Hands waiting pictures to free helpers, and starts helpers for the rest.
    func serve() {
        while let request = waiting.first {
            if let helper = helpers.first(where: \.isIdle) {
                waiting.removeFirst()
                send(request, to: helper)
                continue
            }
            let live = live
            if let failure = startTrouble.reason(at: loop.clock.now) {
                return live.isEmpty ? endWaiting(failure) : ()
            }
            guard mayStart(beside: live) else { return }
            start()
        }
    }

    private func mayStart(beside live: [Helper]) -> Bool {
        live.count < configuration.helpers && live.count(where: \.isStarting) < waiting.count
    }

    private func start() {
        do throws(SystemError) {
            let helper = try Helper(
                configuration, on: loop,
                onMessage: { [weak self] in self?.read($0) },
                onExit: { [weak self] in self?.exited($0, $1) })
            statistics.started += 1
            keep(helper)
            helper.alarm(after: configuration.startDeadline, on: loop) { [weak self] in
                guard let self else { return }
                didNotStart($0, .silent(after: configuration.startDeadline))
            }
        } catch {
            didNotStart(nil, .system(error))
        }
    }

    func didNotStart(_ helper: Helper?, _ failure: IsolatedError.StartFailure) {
        statistics.startFailures += 1
        startTrouble.add(failure, at: loop.clock.now, configuration)
        helper?.end(on: loop)
        // Others may still serve them.
        if live.isEmpty { endWaiting(failure) }
    }

    private func endWaiting(_ failure: IsolatedError.StartFailure) {
        for request in waiting { endLater(request, .noHelper(failure)) }
        waiting = []
    }

    private func send(_ request: Request, to helper: Helper) {
        let file: Descriptor
        do throws(IsolatedError) {
            file = try request.open()
        } catch {
            if case .picture = error { statistics.refused += 1 }
            return endLater(request, error)
        }
        do throws(SystemError) {
            try helper.send(request, file: file, cpu: configuration.cpu)
        } catch {
            guard [EPIPE, ECONNRESET, EAGAIN].contains(error.errno) else {
                return endLater(request, .system(error))
            }
            // It ended while it had nothing to do; the picture waits for another.
            helper.end(on: loop)
            return waiting.insert(request, at: 0)
        }
        helper.alarm(after: configuration.deadline, on: loop) { [weak self] in self?.hangs($0) }
    }

    private func hangs(_ helper: Helper) {
        guard case .busy(let request) = helper.life else { return }
        statistics.hung += 1
        finish(
            request, of: helper,
            .failure(.helperHung(file: request.name, after: configuration.deadline)))
    }

    /// A request is no longer wanted.
    func forget(_ request: Request) {
        if let place = waiting.firstIndex(where: { $0 === request }) {
            waiting.remove(at: place)
        } else if let helper = helpers.first(where: { $0.has(request) }) {
            helper.life = .abandoned
            helper.alarm(after: configuration.patience, on: loop) { [weak self] in
                guard let self else { return }
                statistics.abandoned += 1
                $0.end(on: loop)
                serve()
            }
        }
    }

    private func exited(_ helper: Helper, _ end: ChildExit) {
        // What it has said before it ended counts.
        if case .busy = helper.life { read(helper) }
        letGo(of: helper)
        switch helper.life {
        case .starting: return didNotStart(helper, .ended(end))
        case .busy(let request):
            statistics.died += 1
            finish(request, of: helper, .failure(.helperDied(file: request.name, end)))
        case .idle, .abandoned:
            helper.end(on: loop)
            serve()
        case .ended: break
        }
    }
}

import Glibc
import IdleLoop
import ImageLoading

// Who gets which picture, and what becomes of helpers.
extension IsolatedDecoder {
    /// Hands waiting pictures to free helpers, and starts helpers for the rest.
    func serve() {
        while let request = waiting.first {
            if let helper = helpers.first(where: \.isIdle) {
                guard helper.cpuSpent <= Request.spareTime else {
                    lied(helper, .unexpected)
                    continue
                }
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
        helper?.end()
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
            try helper.send(request, file: file)
        } catch {
            guard [EPIPE, ECONNRESET, EAGAIN].contains(error.errno) else {
                return endLater(request, .system(error))
            }
            // It ended while it had nothing to do; the picture waits for another.
            helper.end()
            return waiting.insert(request, at: 0)
        }
        watch(helper, request, until: loop.clock.now.advanced(by: configuration.deadline))
    }

    /// Looks at a busy helper when it has been silent until the deadline, and before that whenever it
    /// may have used its processor time: it can't use more than passes.
    private func watch(_ helper: Helper, _ request: Request, until deadline: Instant) {
        let left = request.mostTime - helper.cpuSpent
        let silence = loop.clock.now.duration(to: deadline)
        helper.alarm(after: min(silence, max(left, .milliseconds(10))), on: loop) { [weak self] in
            self?.look(at: $0, deadline)
        }
    }

    private func look(at helper: Helper, _ deadline: Instant) {
        guard case .busy(let request) = helper.life else { return }
        if helper.cpuSpent > request.mostTime {
            statistics.refused += 1
            statistics.cpu += helper.cpuSpent
            finish(
                request, of: helper,
                .failure(.tooSlow(file: request.name, limit: request.limits.time)))
        } else if loop.clock.now < deadline {
            watch(helper, request, until: deadline)
        } else {
            statistics.hung += 1
            finish(
                request, of: helper,
                .failure(.helperHung(file: request.name, after: configuration.deadline)))
        }
    }

    /// Ends a helper when it has had no work for so long; or sooner, when it works all the same.
    ///
    /// It's looked at after a second, and then each time that it has rested as long again.
    func end(_ helper: Helper, afterIdle time: Duration, rested: Duration = .zero) {
        let next = min(time, max(.seconds(1), rested * 2))
        helper.alarm(after: next - rested, on: loop) { [weak self] helper in
            guard let self else { return }
            if helper.cpuSpent > Request.spareTime {
                lied(helper, .unexpected)
            } else if next < time {
                end(helper, afterIdle: time, rested: next)
            } else {
                helper.end()
            }
        }
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
                $0.end()
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
            helper.end()
            serve()
        case .ended: break
        }
    }
}

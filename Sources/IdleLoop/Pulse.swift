/// Calls back from time to time while its loop is at work, and not at all while it sleeps.
///
/// For what is told of a loop in sums, such as its counts. The first call comes a period after work
/// has begun, another a period later if work goes on, and one when `run` ends. A loop that has come
/// to rest is woken once for it, and no more, however many of these it has: what one does is no work
/// to another. On an adopted loop it keeps a host's dispatch from ending for as long.
package final class Pulse {
    private let loop: MainLoop
    private let period: Duration
    private var body: (() -> Void)?
    private var timer: LoopTimer?
    /// Looks out for work while there's no timer.
    private var lookout: Observer?
    private var ending: Observer?
    /// The loop's count of work when it was told of last.
    private var told = 0

    package init(of loop: MainLoop, every period: Duration, _ body: @escaping () -> Void) {
        precondition(period >= .nanoseconds(1), "a pulse's period is longer than zero")
        self.loop = loop
        self.period = period
        self.body = body
        ending = loop.observe(.exit) { [weak self] _ in self?.tell() }
        told = loop.work
        lookOut()
    }

    deinit {
        cancel()
    }

    /// Calls nobody any more, and lets go of what it was to call.
    package func cancel() {
        lookout?.cancel()
        ending?.cancel()
        timer?.cancel()
        timer = nil
        let body = body
        self.body = nil
        withExtendedLifetime(body) {}  // until here: what it holds may call as it goes
    }

    private func lookOut() {
        lookout = loop.observe(.beforeIdle) { [weak self] _ in self?.notice() }
    }

    private func notice() {
        guard loop.work != told else { return }
        lookout?.cancel()
        // Without a tolerance: no job is held back for it.
        timer = loop.schedule(after: period) { [weak self] in self?.beat() }
    }

    private func beat() {
        timer = nil
        loop.countHousekeeping()
        lookOut()
        tell()
    }

    private func tell() {
        told = loop.work
        body?()
    }
}

/// Calls back from time to time while its loop is at work, and not at all while it sleeps.
///
/// For what is told of a loop in sums, such as its counts. The first call comes a period after work
/// has begun, another a period later if work goes on, and one when `run` ends. A loop that has come
/// to rest is woken once for it, and no more. On an adopted loop it keeps a host's dispatch from
/// ending for as long.
package final class Pulse {
    private let loop: MainLoop
    private let period: Duration
    private let body: () -> Void
    private var timer: TimerID?
    /// Looks out for work while there's no timer.
    private var lookout: Observer?
    private var ending: Observer?
    private var hasRested = false

    package init(of loop: MainLoop, every period: Duration, _ body: @escaping () -> Void) {
        precondition(period >= .nanoseconds(1), "a pulse's period is longer than zero")
        self.loop = loop
        self.period = period
        self.body = body
        ending = loop.observe(.exit) { [weak self] _ in
            self?.hasRested = false
            self?.body()
        }
        lookOut()
    }

    deinit {
        cancel()
    }

    /// Calls nobody any more.
    package func cancel() {
        lookout?.cancel()
        ending?.cancel()
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    /// Waits for a sleep to end, or for the second pass before idle without one.
    private func lookOut() {
        hasRested = false
        lookout = loop.observe([.beforeIdle, .afterIdle]) { [weak self] activity in
            self?.notice(activity)
        }
    }

    private func notice(_ activity: Activity) {
        if activity == .beforeIdle, !hasRested {
            hasRested = true
            return
        }
        lookout?.cancel()
        // Without a tolerance: no job is held back for it.
        timer = loop.schedule(after: period) { [weak self] in self?.beat() }
    }

    private func beat() {
        timer = nil
        lookOut()
        body()
    }
}

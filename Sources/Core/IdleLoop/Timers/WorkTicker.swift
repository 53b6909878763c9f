internal import LullLibC

/// A periodic callback while its loop is at work, which stops while the loop sleeps.
///
/// It's for cumulative values of a loop, such as its statistics. The first call comes a period
/// after work has begun, another a period later if work continues, and one when `run` ends. A loop
/// that has become idle is woken once for the last call, and not again, however many tickers it has:
/// the work of one isn't counted as work by another. On an adopted loop, it keeps a host's dispatch
/// from ending for that time.
package final class WorkTicker {
    private let loop: MainLoop
    private let period: Duration
    private var body: (() -> Void)?
    private var timer: LoopTimer?
    /// The observer that watches for work while there's no timer.
    private var workObserver: Observer?
    private var ending: Observer?
    /// The loop's count of work at the last call.
    private var reportedWork = 0

    package init(of loop: MainLoop, every period: Duration, _ body: @escaping () -> Void) {
        precondition(period >= .nanoseconds(1), "a ticker's period is longer than zero")
        self.loop = loop
        self.period = period
        self.body = body
        ending = loop.observe(.exit) { [weak self] _ in self?.report() }
        reportedWork = loop.work
        waitForWork()
    }

    deinit {
        cancel()
    }

    /// Cancels the calls, and releases the callback.
    package func cancel() {
        workObserver?.cancel()
        ending?.cancel()
        timer?.cancel()
        timer = nil
        _ = body.take()  // after the change: a `deinit` of what it captures may call back
    }

    private func waitForWork() {
        workObserver = loop.observe(.beforeIdle) { [weak self] _ in self?.noticeWork() }
    }

    private func noticeWork() {
        guard loop.work != reportedWork else { return }
        workObserver?.cancel()
        // Without a tolerance: no job is held back for it.
        timer = loop.schedule(after: period) { [weak self] in self?.tick() }
    }

    private func tick() {
        timer = nil
        loop.countHousekeeping()
        waitForWork()
        report()
    }

    private func report() {
        reportedWork = loop.work
        body?()
    }
}

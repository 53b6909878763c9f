import IdleLoop

/// An operation that ends after some time, as a transfer does.
final class Waiting: PendingOperation {
    private let loop: MainLoop
    private var timer: TimerID?
    /// How often it has come to its end, or was taken back.
    private(set) var ends = 0

    init(for time: Duration, on loop: MainLoop, _ completion: @escaping () -> Void) {
        self.loop = loop
        timer = loop.schedule(after: time) { [weak self] in
            self?.ends += 1
            completion()
        }
    }

    func cancel() {
        ends += 1
        if let timer { loop.cancel(timer) }
    }
}

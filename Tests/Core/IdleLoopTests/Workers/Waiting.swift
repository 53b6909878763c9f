import IdleLoop

/// An operation that ends after some time, as a transfer does.
final class Waiting: PendingOperation {
    private var timer: LoopTimer?
    /// How often it has come to its end, or was taken back.
    private(set) var ends = 0

    init(for time: Duration, on loop: MainLoop, _ completion: @escaping () -> Void) {
        timer = loop.schedule(after: time) { [weak self] in
            self?.ends += 1
            completion()
        }
    }

    func cancel() {
        ends += 1
        timer?.cancel()
    }
}

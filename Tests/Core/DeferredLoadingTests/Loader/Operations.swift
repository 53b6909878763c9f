import DeferredLoading
import IdleLoop
import Testing

/// Fetches that go on by themselves for as long as they're said to, and what became of each.
final class Operations {
    final class One: PendingOperation {
        let key: Int
        let completion: OperationCompletion<Bool>
        var isUnderway = true
        var wasCancelled = false
        var timer: LoopTimer?

        init(_ key: Int, _ completion: OperationCompletion<Bool>) {
            self.key = key
            self.completion = completion
        }

        func cancel() {
            #expect(isUnderway, "what has ended isn't cancelled, and nothing is cancelled twice")
            isUnderway = false
            wasCancelled = true
            timer?.cancel()
        }

        func end() {
            isUnderway = false
            completion(.success(true))
        }
    }

    private let loop: MainLoop
    private(set) var all: [One] = []
    /// How many were under way at once at most.
    private(set) var most = 0

    init(on loop: MainLoop) {
        self.loop = loop
    }

    var underway: [Int] { all.filter(\.isUnderway).map(\.key) }
    var cancelled: [Int] { all.filter(\.wasCancelled).map(\.key) }

    func start(
        _ key: Int, for time: Duration, _ completion: OperationCompletion<Bool>
    ) -> any PendingOperation {
        let one = One(key, completion)
        all.append(one)
        most = max(most, underway.count)
        one.timer = loop.schedule(after: time) { [unowned one] in
            one.end()
            one.completion(.success(false))  // which nobody hears
        }
        return one
    }
}

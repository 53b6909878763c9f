import Synchronization

/// The time by which a disk cache dates its files, in whole seconds since 1970.
final class TestTime: Sendable {
    private let seconds: Atomic<Int>

    init(_ seconds: Int) { self.seconds = Atomic(seconds) }

    var now: Duration { .seconds(seconds.load(ordering: .relaxed)) }

    func advance(by count: Int) { seconds.add(count, ordering: .relaxed) }
}

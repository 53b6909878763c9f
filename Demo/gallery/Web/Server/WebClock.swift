/// The clock for deadlines.
struct WebClock {
    private let source: () -> Duration

    /// Creates a clock of the machine's own time.
    init() {
        let start = SuspendingClock.now
        self.init { start.duration(to: .now) }
    }

    /// Creates a clock that reads its time from `source`.
    init(_ source: @escaping () -> Duration) {
        self.source = source
    }

    var now: Duration { source() }
}

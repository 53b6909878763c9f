/// The time by which deadlines are kept.
struct WebClock {
    private let source: () -> Duration

    /// The machine's own time.
    init() {
        let start = SuspendingClock.now
        self.init { start.duration(to: .now) }
    }

    /// A time that somebody tells.
    init(_ source: @escaping () -> Duration) {
        self.source = source
    }

    var now: Duration { source() }
}

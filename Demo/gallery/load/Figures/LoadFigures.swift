/// The measurements of a load test's users.
struct LoadFigures {
    /// An experience of a user.
    enum Event {
        /// A page was opened.
        case visit
        /// There was no room for a page.
        case refused
        case streamLost
        /// The list has changed since it was fetched.
        case listChanged
        case fling
        /// A report was answered after this time.
        case reported(Duration, isAccepted: Bool)
        /// A picture was answered after this time.
        case fetched(Duration, byteCount: Int, isFound: Bool)
        /// All rows in view were loaded this long after the list had come to rest.
        case settled(Duration, user: Int)
    }

    private(set) var visits = 0
    private(set) var refused = 0
    private(set) var streamsLost = 0
    private(set) var listChanged = false
    private(set) var flings = 0
    private(set) var failures = 0
    private(set) var bytes = 0
    private(set) var reports = Figures()
    private(set) var pictures = Figures()
    private(set) var settled = SettleFigures()

    mutating func note(_ event: Event) {
        switch event {
        case .visit: visits += 1
        case .refused: refused += 1
        case .streamLost: streamsLost += 1
        case .listChanged: listChanged = true
        case .fling: flings += 1
        case .reported(let time, let isAccepted):
            reports.add(time)
            if !isAccepted { failures += 1 }
        case .fetched(let time, let byteCount, let isFound):
            pictures.add(time)
            bytes += byteCount
            if !isFound { failures += 1 }
        case .settled(let time, let user): settled.add(time, of: user)
        }
    }

    /// Starts all times anew, but no counts.
    mutating func resetTimes() {
        (reports, pictures, settled) = (Figures(), Figures(), SettleFigures())
    }
}

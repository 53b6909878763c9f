internal import IdleLoop

/// The times from a list's rest until all rows in view were loaded: of all users, and of each.
struct SettleFigures {
    private(set) var all = Figures()
    private var byPerson: [Int: Figures] = [:]

    mutating func add(_ duration: Duration, of person: Int) {
        all.add(duration)
        byPerson[person, default: Figures()].add(duration)
    }

    /// The number of users who had all rows in view loaded at least once.
    var people: Int { byPerson.count }

    /// The highest of the users' own medians, in ms: that of the user who is served worst
    /// throughout.
    var worstMedian: Double { byPerson.values.map { $0.quantile(0.5) }.max() ?? 0 }
}

/// The times from a list's rest until all rows in view were loaded: of all users, and of each.
struct SettleFigures {
    private(set) var all = Figures()
    private var byUser: [Int: Figures] = [:]

    mutating func add(_ duration: Duration, of user: Int) {
        all.add(duration)
        byUser[user, default: Figures()].add(duration)
    }

    /// The number of users who had all rows in view loaded at least once.
    var users: Int { byUser.count }

    /// The highest of the users' own medians: that of the user who is served worst throughout.
    var worstMedian: Duration { byUser.values.map { $0.quantile(0.5) }.max() ?? .zero }
}

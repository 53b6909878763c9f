internal import IdleLoop

/// The times from a list's rest until all in view was there: of all people, and of each.
struct SettleFigures {
    private(set) var all = Figures()
    private var byPerson: [Int: Figures] = [:]

    mutating func add(_ duration: Duration, of person: Int) {
        all.add(duration)
        byPerson[person, default: Figures()].add(duration)
    }

    /// The number of people who ever had all in view.
    var people: Int { byPerson.count }

    /// The worst of the people's own medians, in ms: whoever has it worst throughout.
    var worstMedian: Double { byPerson.values.map { $0.quantile(0.5) }.max() ?? 0 }
}

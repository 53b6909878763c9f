/// A schedule of the planned loads, to see whether all of them can be done in time.
///
/// Loads are added in the order of their gain per cost. Each gets the latest time before it is seen
/// ("job sequencing with deadlines" in operations research), as long as the loads that were added
/// before it keep their deadlines: so a row that will be in view for long isn't displaced by many
/// that are in view briefly. A load for which there is no such time gets the first free time, if it
/// still gains enough: on a scarce link, half of what it could. Times are in seconds, like
/// ``ValueTuning``.
struct LoadSchedule {
    private struct Entry {
        let number: Int
        var deadline: Double
        var time: Double
        /// The duration of all work up to its end.
        var end = 0.0
    }

    /// The maximum number of loads: more are seconds of work, for which no plan is valid that long.
    static let mostEntries = 256

    private var scale = CostScale()
    private var entries: [Entry] = []

    /// Removes all loads, and keeps the storage.
    mutating func clear(for scale: CostScale) {
        self.scale = scale
        entries.removeAll(keepingCapacity: true)
    }

    /// The numbers of the loads, in the order of their times.
    var numbers: some Sequence<Int> { entries.lazy.map(\.number) }

    /// Adds a load with a number; false if there is no time for it.
    ///
    /// O(n) in the number of loads.
    mutating func take(_ load: CandidateLoad, _ number: Int) -> Bool {
        guard entries.count < Self.mostEntries else { return false }
        let time = load.unit / ValueTuning.share
        let deadline = max(0, scale.frames.time(of: load.likeliest.first) - load.lag)
        // Behind the last load before which there is no room for it.
        var place = entries.count
        var slack = Double.infinity
        for index in entries.indices.reversed() {
            slack = min(slack, entries[index].deadline - entries[index].end)
            if slack + 1e-12 < time { break }
            place = index
        }
        while place < entries.count, entries[place].deadline <= deadline { place += 1 }
        let done = max(deadline, end(before: place) + time)
        if done > deadline + 1e-9 {
            let gain = scale.frames.gain(of: load, readyAt: done + load.lag)
            guard gain > scale.leastGain(of: load, isFetching: false) else { return false }
            if scale.isLinkScarce, gain < load.whole / 2 { return false }
        }
        while place < entries.count, entries[place].deadline <= done { place += 1 }
        var entry = Entry(number: number, deadline: done, time: time)
        var end = end(before: place)
        entries.append(entry)
        var entries = entries.mutableSpan
        for index in place..<entries.count {
            swap(&entry, &entries[index])
            end += entries[index].time
            entries[index].end = end
        }
        return true
    }

    private func end(before place: Int) -> Double { place == 0 ? 0 : entries[place - 1].end }
}

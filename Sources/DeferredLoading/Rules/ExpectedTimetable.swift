/// A plan of when what is loaded, to see whether all of it can be.
///
/// Loads come by what they gain for their cost. Each gets the latest time before it is seen (the
/// "job sequencing with deadlines" of operations research), as long as those that were given a place
/// before it keep theirs: so a row that will be looked at for long isn't pushed out by many that
/// only flash past. One that finds no such place takes the first there is, if it still gains enough.
struct ExpectedTimetable {
    private struct Entry {
        var deadline: Double
        var time: Double
        /// The time of all work up to its end.
        var end = 0.0
    }

    /// The most loads that have a place: more are seconds of work, for which no plan lasts.
    static let mostEntries = 256

    private var scale: ExpectedScale
    private var entries: [Entry] = []

    /// An empty one.
    init(_ scale: ExpectedScale) {
        self.scale = scale
    }

    /// Begins another, in the same storage.
    mutating func clear(_ scale: ExpectedScale) {
        self.scale = scale
        entries.removeAll(keepingCapacity: true)
    }

    /// Finds a place for a load; false if there's none.
    ///
    /// O(n) in those that have one.
    mutating func take(_ load: ExpectedLoad) -> Bool {
        guard entries.count < Self.mostEntries else { return false }
        let (tuning, frames) = (scale.tuning, scale.frames)
        let time = load.unit / tuning.share
        let deadline = max(0, frames.time(of: load.likeliest.first) - load.lag)
        // Behind the last that has no room for it before itself.
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
            let gain = frames.gain(of: load, readyAt: done + load.lag, cap: tuning.cap)
            guard gain > tuning.leastGain(of: load, isBegun: false) else { return false }
        }
        while place < entries.count, entries[place].deadline <= done { place += 1 }
        var entry = Entry(deadline: done, time: time)
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

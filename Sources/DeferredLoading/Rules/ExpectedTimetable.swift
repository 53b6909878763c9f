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

    let tuning: ExpectedValue.Configuration
    let frames: ExpectedFrames
    private var entries: [Entry] = []

    init(tuning: ExpectedValue.Configuration, frames: ExpectedFrames) {
        self.tuning = tuning
        self.frames = frames
    }

    /// Finds a place for a load; false if there's none.
    ///
    /// O(n) in those that have one.
    mutating func take(_ load: ExpectedLoad) -> Bool {
        guard entries.count < Self.mostEntries else { return false }
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
        entries.insert(Entry(deadline: done, time: time), at: place)
        for index in place..<entries.count {
            entries[index].end = end(before: index) + entries[index].time
        }
        return true
    }

    private func end(before place: Int) -> Double { place == 0 ? 0 : entries[place - 1].end }
}

internal import IdleLoop
internal import LullLibC
internal import ScrollModel

/// The path that a list is expected to take, and the rows in view on it; times are in seconds from
/// now, like ``ValueTuning``.
///
/// The remaining distance falls as a power of the remaining time, x(t) = d·(1 − (1 − t/T)ⁿ). This
/// can be inverted to find the times at which a row comes into view and leaves.
struct ListPath {
    let offset: Double
    let height: Double
    /// The distance in px; positive when the offset grows.
    private let distance: Double
    private let duration: Double
    private let exponent: Double
    /// The offset at which the list rests, within its bounds, and the distance to it.
    let target: Double
    let reach: Double
    /// The time at which the list rests.
    let restTime: Double
    /// The bounds of the rows in view now, on the way or at the end.
    let rows: Range<Int>
    /// The rows in view at the end.
    let landing: RowSet

    /// Creates the path of a list from a moment on; where work is cheap, that of a wheel is longer.
    init(
        from moment: ScrollState, visible: RowSet, isCheap: Bool, _ tuning: ValueTuning
    ) {
        let (viewport, motion) = (moment.viewport, moment.motion)
        (offset, height) = (viewport.offset, viewport.height)
        let isStep = motion.isStep(at: moment.now)
        let mayFollow = isStep && isCheap && motion.isWheel
        let velocity = mayFollow ? motion.steppedVelocity : motion.velocity
        let way = (motion.target ?? offset) - offset
        // Of a jump that speeds up, the speed tells nothing of its duration yet.
        let isJump = motion.target != nil && motion.flingTarget == nil
        let (flight, power) =
            isJump ? (tuning.jumpTime, tuning.jumpExponent) : (tuning.flight, tuning.exponent)
        var time = Double.infinity
        if velocity == 0 {
            time = flight
        } else if velocity * way > 0 {
            time = power * way / velocity
        }
        let longest = motion.flingTarget == nil ? flight : 4
        if abs(way) > 1, time <= longest {
            (distance, duration, exponent) = (way, max(0.06, time), power)
        } else if velocity == 0 {
            (distance, duration, exponent) = (0, 0.001, 2)
        } else {
            (duration, exponent) =
                isStep ? (tuning.step * (mayFollow ? 2 : 1), 2) : (flight, power)
            distance = velocity * duration / exponent
        }
        target = viewport.clamped(offset + distance)
        reach = abs(target - offset)
        landing = viewport.visibleRows(at: target)
        rows =
            min(
                visible.lowerBound, landing.lowerBound)..<max(
                visible.upperBound, landing.upperBound)
        restTime =
            abs(distance) > 1e-9
            ? Self.time(to: reach, of: distance, in: duration, exponent) : 0
    }

    private var isDown: Bool { distance >= 0 }

    /// Returns the time at which a distance in px has been covered.
    private static func time(
        to way: Double, of distance: Double, in duration: Double, _ exponent: Double
    ) -> Double {
        let all = abs(distance)
        if way <= 0 { return 0 }
        if way >= all { return duration }
        return duration * (1 - pow(1 - way / all, 1 / exponent))
    }

    private func time(to way: Double) -> Double {
        Self.time(to: way, of: distance, in: duration, exponent)
    }

    /// Returns the change of the offset within a time, in px.
    private func offset(at time: Double) -> Double {
        time >= duration ? distance : distance * (1 - pow(1 - time / duration, exponent))
    }

    /// Returns the times at which a row on the way comes into view and leaves it.
    ///
    /// The exit is infinite if the row is in view at the end. Nil if it has left already.
    func passage(of extent: Extent) -> (entry: Double, exit: Double)? {
        let entry = isDown ? extent.offset - height - offset : offset - extent.end
        let exit = isDown ? extent.end - offset : offset + height - extent.offset
        guard exit > 0 else { return nil }
        return (
            entry <= 0 ? 0 : time(to: min(entry, reach)), exit < reach ? time(to: exit) : .infinity
        )
    }

    /// Returns the rows to consider: those on the way.
    ///
    /// Of more than `most` on the way, most are on no frame. Then these are the rows in view, those on
    /// one of the next few frames, and the last part of the way, where the list is slow.
    func candidates(
        on frames: FrameGrid, in viewport: Viewport, visible: RowSet, most: Int
    ) -> RowSet {
        guard distance != 0 else { return visible }
        guard rows.count > most else { return end(of: reach, in: viewport) }
        var rows = Set(visible)
        let limit = rows.count + most
        for number in 0..<4 {
            let place = offset + offset(at: frames.time(of: Double(number)))
            for row in viewport.visibleRows(at: place) where rows.count < limit { rows.insert(row) }
        }
        var part = min(reach, max(height, 100))
        var last = end(of: part, in: viewport)
        while last.count < most, part < min(reach, 8 * height) {
            part *= 2
            last = end(of: min(reach, part), in: viewport)
        }
        for step in last.indices {
            guard rows.count < limit else { break }
            rows.insert(last[isDown ? last.count - 1 - step : step])
        }
        return RowSet(rows.sorted().lazy.map { $0..<$0 + 1 })
    }

    /// Returns the rows on the last part of the way, of a length in px.
    private func end(of way: Double, in viewport: Viewport) -> RowSet {
        viewport.list.visibleRows(
            offset: isDown ? target - way : target, height: height + way)
    }
}

/// The frames to come.
struct FrameGrid {
    /// The time of the next frame, and the time between two.
    private let next: Double
    let interval: Double

    init(after moment: ScrollState) {
        interval = moment.motion.frameInterval
        let (now, last) = (moment.now.seconds, (moment.motion.lastFrame ?? moment.time).seconds)
        next = last + (((now - last) / interval).rounded(.down) + 1) * interval - now
    }

    /// Returns the number of the first frame at or after a time.
    func number(at time: Double) -> Double { ((time - next) / interval - 1e-9).rounded(.up) }

    func time(of number: Double) -> Double { next + number * interval }
}

/// The figures by which loads are evaluated at a moment.
struct LoadScale {
    let frames: FrameGrid
    private let now: Double
    /// The usual cost of a load, and the number that run at once.
    let usual: Double
    private let lanes: Double
    /// The usual duration of a fetch, and its share of the workers; 0 if nothing is fetched.
    private let fetch: Double
    let fetchShare: Double
    /// The price of work: the loader's, or that of loads which are long for a frame.
    let price: WorkPrice
    /// The number of rows that can be kept; nil if there is no limit.
    let capacity: Int?
    /// The time from the end of a load until its row is seen, and that for which it occupies the link.
    private let delivery: Double
    let transfer: Double
    private let transferPrice: Double
    /// The time in view beyond which more adds no value: where work is dear, only long looks count.
    let cap: Double
    private let tuning: ValueTuning

    init(_ moment: ScrollState, _ facts: any LoadStatus, row: Int?, _ tuning: ValueTuning) {
        (frames, now) = (FrameGrid(after: moment), moment.now.seconds)
        (capacity, self.tuning) = (facts.capacity, tuning)
        (delivery, transfer) = (facts.delivery.inSeconds, facts.transfer.inSeconds)
        transferPrice = facts.priceFloor.secondsInView
        lanes = Double(max(1, facts.lanes))
        usual = facts.usualCost?.inSeconds ?? 0.005
        fetch = (facts.usualFetch ?? row.flatMap { facts.fetchHint(ofRow: $0) })?.inSeconds ?? 0
        fetchShare = fetch / Double(max(1, facts.fetches))
        // A wheel's next notch shows what is near, and what is fetched keeps nobody waiting.
        let isLong = fetch == 0 && !moment.motion.isStep(at: moment.now)
        let share = isLong ? tuning.longWork * min(1, usual / lanes / frames.interval) : 0
        price = max(
            facts.price, WorkPrice(secondsInView: share * WorkPrice.neutral.secondsInView))
        cap = tuning.cap * max(1, price.level).squareRoot()
    }

    /// Returns a load's share of the loop, or of all lanes, by its cost.
    func share(of cost: Double) -> Double { cost / lanes }

    /// The time of the scarcest resource that a usual load takes.
    var usualUnit: Double { max(share(of: usual), fetchShare, transfer) }

    /// Whether the link to the display is scarcer than the loop and the workers.
    var isLinkScarce: Bool { transfer > max(share(of: usual), fetchShare) }

    /// Estimates the work that is left of a row's load, and what it gains.
    func weigh(_ row: inout RowValue, _ progress: LoadProgress, hint: Double?) {
        row.cost = max(1e-4, hint ?? usual)
        var fetchUnit = 0.0
        switch progress {
        case .settled, .fetched: break
        case .none:
            (row.lag, fetchUnit) = (fetch, fetchShare)
        case .fetching(let since):
            if fetch > 0 { row.lag = max(0, since.seconds + fetch - now) }
        case .begun(let spent):
            if spent > .zero { row.cost = max(3e-4, row.cost - spent.inSeconds) }
        }
        row.lag += delivery
        row.work = max(share(of: row.cost), fetchUnit)
        row.gain = gain(of: row, readyAt: row.ready)
        guard row.gain > 0 else { return row.verdict = .late }
        guard row.gain > leastGain(of: row) else { return }
        row.verdict = .wanted
        // The rule "apparent tardiness cost" (Vepsäläinen and Morton, 1987).
        let slack = max(0, row.entry - row.ready)
        row.priority =
            row.gain / max(row.work, transfer)
            * exp(-slack / (tuning.patience * max(usualUnit, 0.001)))
    }

    /// Returns the seconds in view that a row gains if it is loaded at a time, in whole frames.
    private func gain(of row: RowValue, readyAt ready: Double) -> Double {
        let time = (row.last - max(row.first, frames.number(at: ready)) + 1) * frames.interval
        return time > 0 ? min(time, cap) : 0
    }

    /// Returns the minimum gain for which a load is done, in seconds in view: its cost at the price
    /// of work, and its transfer at the lowest price.
    ///
    /// It is at most half of the maximum gain of any load: a row that stays in view is loaded
    /// whatever it costs. Below the neutral price, a worker's time is free.
    func leastGain(of row: RowValue) -> Double {
        let work =
            row.cost * price.level + max(0, row.work - row.cost) * max(0, price.level - 1)
        let least = work * WorkPrice.neutral.secondsInView + transfer * transferPrice
        return min(cap / 2, least)
    }
}

/// A row that may come into view, and what its load gains.
struct RowValue {
    /// The verdict on loading a row.
    enum Verdict { case wanted, late, worthless }

    let row: Int
    let urgency: Urgency
    /// The time at which it comes into view, and the first and the last frame that show it; the last is
    /// infinite for a row that is in view where the list rests.
    let entry: Double
    let first: Double
    let last: Double
    /// The work that is left on the loop, and the time that the load takes beside it.
    fileprivate(set) var cost = 0.0
    fileprivate(set) var lag = 0.0
    /// The time of the scarcest of the loop and the workers.
    fileprivate(set) var work = 0.0
    /// The time in view that is gained by starting now.
    fileprivate(set) var gain = 0.0
    fileprivate(set) var priority = 0.0
    fileprivate(set) var verdict = Verdict.worthless

    /// Whether it is in view where the list rests.
    var isToStay: Bool { last == .infinity }
    /// The time at which it could be loaded.
    var ready: Double { lag + cost }

    /// Creates the value of a row on a path, before its load is known; nil if no frame shows it.
    init?(
        _ row: Int, _ extent: Extent, on path: ListPath, visible: RowSet, _ frames: FrameGrid
    ) {
        guard let (entry, exit) = path.passage(of: extent) else { return nil }
        first = max(0, frames.number(at: entry))
        last = frames.number(at: exit) - 1
        guard last >= first || visible.contains(row) else { return nil }
        urgency =
            visible.contains(row)
            ? .visible : path.landing.contains(row) ? .landing : .approach
        (self.row, self.entry) = (row, entry)
    }
}

extension RowValue {
    /// The reason why it is loaded or not.
    func words(by scale: LoadScale) -> String {
        let time = (last - first + 1) * scale.frames.interval
        let seen =
            (entry <= 0 ? "in view" : "in view in \(seconds(entry))")
            + (time.isFinite ? " for \(seconds(time))" : " to stay")
            + ", ready in \(seconds(ready))"
        let work = "\(rounded(cost * 1000, to: 10)) ms"
        switch verdict {
        case .wanted: return "\(seen): \(seconds(gain)) gained for \(work)"
        case .worthless:
            return "\(seen): only \(seconds(gain)) gained for \(work), which are worth "
                + seconds(scale.leastGain(of: self))
        case .late: return "\(seen): gone before it could be there"
        }
    }

    private func seconds(_ value: Double) -> String { "\(rounded(value, to: 100)) s" }

    private func rounded(_ value: Double, to parts: Double) -> String {
        let result = (value * parts).rounded() / parts
        return result == result.rounded() && abs(result) < 1e15
            ? String(Int64(result)) : String(result)
    }
}

internal import IdleLoop
package import ScrollModel

/// The rule `gated`: the rule `value`, but restricted during flings and drags.
///
/// For lists that are shown elsewhere. By `value` alone a picture that costs a millisecond is worth a
/// twentieth of a second in view, and a fling passes many such rows, as does the finger before it. But
/// what a page is sent has a way to go, and is shown when it was decoded there too: of what is flown
/// over nothing would come in time. And where a finger is about to fling is guessed better a tenth of
/// a second later, when it has.
package struct GatedValue: LibraryRule {
    /// The speed, in windows a second, at which nothing can be seen.
    private static let fast = 1.5
    /// The delay after the start of a long fling, since another fling may add to it.
    private static let patience = Duration.milliseconds(200)
    private static let longFling = Duration.milliseconds(800)

    private var landing = LandingRows()
    private var value = ValueRule()
    private var lastWanted: [Wanted<Int>] = []
    /// The rows wanted around a landing, and the time from which they are requested.
    private var delayed: (wanted: [Wanted<Int>], from: Instant)?

    /// A rule before any event.
    package init() {}

    /// The rows around the landing, while only those are wanted.
    package var gate: Range<Int>? { landing.gate }

    /// Returns what is wanted after an event; nil if that is unchanged.
    package mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        let opened = delay(landing.wanted(after: moment, loads: loads), from: moment)
        guard let answer = answer(to: moment, loads, opened: opened) else { return nil }
        lastWanted = answer
        return answer
    }

    /// Processes an event; what is wanted is computed when it's asked for.
    package mutating func note(_ moment: ScrollState) -> [Wanted<Int>]? {
        _ = delay(landing.gateChange(after: moment), from: moment)
        return value.note(moment)
    }

    /// Why a row is wanted or isn't, by the rule that has the word.
    package func explanation(ofRow row: Int) -> String? {
        gate == nil ? value.explanation(ofRow: row) : landing.explanation(ofRow: row)
    }

    private mutating func answer(
        to moment: ScrollState, _ loads: any LoadStatus, opened: [Wanted<Int>]?
    ) -> [Wanted<Int>]? {
        let isFast = abs(moment.motion.velocity) > Self.fast * max(moment.viewport.height, 1)
        guard gate == nil, !isFast else {
            _ = value.note(moment)
            return gate == nil ? wantedInView(moment) : land(moment)
        }
        let wanted = value.wanted(after: moment, loads: loads) ?? opened
        guard moment.motion.isTouched else { return wanted }
        let visible = moment.viewport.visibleRows
        return wanted?.filter { visible.contains($0.key) }
    }

    /// Returns what is wanted during a fling to a landing; nil if that is unchanged.
    private mutating func land(_ moment: ScrollState) -> [Wanted<Int>]? {
        guard let delayed else { return nil }
        guard delayed.from <= moment.now else { return wantedInView(moment) }
        self.delayed = nil
        return delayed.wanted
    }

    /// Returns the rows that were wanted before and are still in view.
    private func wantedInView(_ moment: ScrollState) -> [Wanted<Int>] {
        let visible = moment.viewport.visibleRows
        return lastWanted.filter { visible.contains($0.key) }
    }

    /// Stores the rows wanted around a landing until they are requested; returns what is wanted if
    /// there is no landing.
    private mutating func delay(
        _ gated: [Wanted<Int>]?, from moment: ScrollState
    ) -> [Wanted<Int>]? {
        guard gate != nil else {
            delayed = nil
            return gated
        }
        guard let gated else { return nil }
        var from = moment.now
        if case .up = moment.event, let duration = moment.forecast?.remaining,
            duration >= Self.longFling
        {
            from = from.advanced(by: Self.patience)
        }
        delayed = (gated, from)
        return nil
    }
}

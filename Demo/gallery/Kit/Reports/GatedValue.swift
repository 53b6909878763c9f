internal import DeferredLoading

/// The rule by which pictures for a page are made: `value`, and while a fling goes far only the rows
/// around its landing, as `within3` has it.
///
/// By `value` alone a picture that costs a millisecond is worth a twentieth of a second in view, and
/// a fling passes many such rows. But what a page is sent has a way to go, and is shown when it was
/// decoded there too: of what is flown over nothing would come in time.
struct GatedValue: LoadingPolicy {
    private var landing = LandingRows()
    private var value = ExpectedValue()

    /// Whether only the rows around a landing are wanted.
    var isGateClosed: Bool { landing.gate != nil }

    /// The rows around the landing, while only those are wanted.
    var gate: Range<Int>? { landing.gate }

    mutating func wanted(after moment: ScrollMoment) -> [Wanted<Int>]? {
        let gated = landing.wanted(after: moment)
        if isGateClosed {
            value.note(moment)
            return gated
        }
        return value.wanted(after: moment) ?? gated
    }

    /// Takes in a frame after which another came already, so that nobody asks what was wanted then.
    mutating func pass(_ moment: ScrollMoment) {
        // It may open the gate; what it wants then, the next frame says too.
        _ = landing.wanted(after: moment)
        value.note(moment)
    }

    func explanation(ofRow row: Int) -> String? {
        isGateClosed ? landing.explanation(ofRow: row) : value.explanation(ofRow: row)
    }
}

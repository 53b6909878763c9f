internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel

/// The rule by which pictures for a page are made: `value`; while a fling goes far only the rows around
/// its landing, as `within3` has it; while a finger holds the list, only rows in view; and while the
/// list moves fast to nobody knows where, nothing new.
///
/// By `value` alone a picture that costs a millisecond is worth a twentieth of a second in view, and
/// a fling passes many such rows, as does the finger before it. But what a page is sent has a way to
/// go, and is shown when it was decoded there too: of what is flown over nothing would come in time.
/// And where a finger is about to fling is guessed better a tenth of a second later, when it has.
struct GatedValue: LoadingPolicy {
    /// How many windows a second are too fast for anything to be seen.
    static let fast = 1.5
    /// How long a fling that goes on for so long is left alone, since another may add to it.
    private static let patience = Duration.milliseconds(200)
    private static let longFling = Duration.milliseconds(800)

    private var landing = LandingRows()
    private var value = ExpectedValue()
    private var speed = SpeedMeter()
    private var wishes: [Wanted<Int>] = []
    private var isTouched = false
    /// What is wanted around a landing, from a moment on, until it's said.
    private var held: (wishes: [Wanted<Int>], from: Instant)?

    /// The rows around the landing, while only those are wanted.
    var gate: Range<Int>? { landing.gate }

    mutating func wanted(after moment: ScrollMoment) -> [Wanted<Int>]? {
        let opened = note(moment)
        let answer: [Wanted<Int>]?
        if gate != nil {
            value.note(moment)
            answer = land(moment)
        } else if isFast(moment) {
            value.note(moment)
            answer = wishesInView(moment)
        } else if isTouched {
            let visible = moment.viewport.visibleRows
            answer = (value.wanted(after: moment) ?? opened)?.filter { visible.contains($0.key) }
        } else {
            answer = value.wanted(after: moment) ?? opened
        }
        if let answer { wishes = answer }
        return answer
    }

    /// Takes in what has happened, without being asked what is wanted then: a small part of the cost.
    mutating func pass(_ moment: ScrollMoment) {
        note(moment, isAsked: false)
        value.note(moment)
    }

    func explanation(ofRow row: Int) -> String? {
        gate == nil ? value.explanation(ofRow: row) : landing.explanation(ofRow: row)
    }

    /// What is wanted while the list flies to a landing; nil if that is as it was.
    private mutating func land(_ moment: ScrollMoment) -> [Wanted<Int>]? {
        guard let held else { return nil }
        guard held.from <= moment.now else { return wishesInView(moment) }
        self.held = nil
        return held.wishes
    }

    /// What was wanted before and is still in view.
    private func wishesInView(_ moment: ScrollMoment) -> [Wanted<Int>] {
        let visible = moment.viewport.visibleRows
        return wishes.filter { visible.contains($0.key) }
    }

    /// Takes it in, and gives the rows in view if it has ended the wait for a landing.
    @discardableResult
    private mutating func note(
        _ moment: ScrollMoment, isAsked: Bool = true
    ) -> [Wanted<Int>]? {
        switch moment.event {
        case .frame: speed.add(moment.viewport.offset, at: moment.now)
        case .changed: speed = SpeedMeter()
        case .down: isTouched = true
        case .up, .cancelled: isTouched = false
        default: break
        }
        let gated = isAsked ? landing.wanted(after: moment) : landing.pass(moment)
        guard gate != nil else {
            held = nil
            return gated
        }
        guard let gated else { return nil }
        var from = moment.now
        if case .up(let prediction) = moment.event, let duration = prediction?.duration,
            duration >= Self.longFling
        {
            from = from.advanced(by: Self.patience)
        }
        held = (gated, from)
        return nil
    }

    private func isFast(_ moment: ScrollMoment) -> Bool {
        speed.value > Self.fast * max(moment.viewport.height, 1)
    }
}

internal import LullLibC

/// The tuning of ``ValueRule``.
///
/// Times are in seconds: the formulas evaluate them with powers and logarithms for each row on each
/// path, and a `Duration` would be converted every time.
///
/// The values were found by a search on half of the recorded scrolls and on recorded and synthetic
/// sessions, with several random draws of the costs, and validated on the others. Many other
/// settings do nearly as well; of those, these keep all limits on the shipped traces.
enum ValueTuning {
    // MARK: - Paths of the list

    /// The exponent of a flight's deceleration.
    ///
    /// The remaining distance falls as this power of the remaining time. 2 is constant
    /// deceleration; the curves of scrollers are near 3.
    static let exponent = 3.1
    /// The expected duration of a flight that has just begun.
    static let flight = 0.88
    /// The time after the release during which frames show nothing of the flight yet.
    static let unseen = 0.02
    /// The maximum duration of a flight.
    static let longestFlight = 2.0
    /// The time for which a list goes on that doesn't slow down, since it is being animated.
    static let animation = 0.9
    /// The time after the release at which the usual and the measured duration have equal
    /// weight.
    static let evenWeight = 0.24
    /// The time for which a drag goes on unchanged.
    static let drag = 0.25
    /// The time for which the animation of a wheel or key event goes on.
    static let step = 0.26
    /// The probability that a dragging finger lifts for a fling at any moment.
    static let release = 0.6
    /// The factor by which some flights last longer than forecast, and their share.
    static let longer: (factor: Double, share: Double) = (1.4, 0.1)
    /// The factor by which some flights last shorter than forecast, and their share.
    static let shorter: (factor: Double, share: Double) = (0.45, 0.14)
    /// The time after which a forecast has 1/e of its weight.
    static let trust = 2.0

    // MARK: - Gain of a load

    /// The time in view beyond which more time adds no value; a row that will stay in view has
    /// this value, whenever it comes into view.
    static let cap = 0.21
    /// The same at a price: where work is dear, only long looks count.
    static func cap(at price: WorkPrice) -> Double { cap * max(1, price.level).squareRoot() }
    /// The number of rows considered beyond the landing, in the direction of scrolling.
    static let margin = 3
    /// The probability that those rows are seen.
    static let marginShare = 0.28
    /// The part of the price at which a load goes on that is being fetched, since cancelling it
    /// loses the fetch.
    static let worthOfFetched = 0.5 / 2.7
    /// The assumed cost of a load before any was measured.
    static let unknownCost = 0.005

    // MARK: - Order

    /// The constant part of the slack that lowers a load's priority; see ``patience``.
    static let slack = 0.035
    /// The look-ahead of the rule "apparent tardiness cost" (Vepsäläinen and Morton, 1987): the
    /// slack that lowers a load's priority, in usual loads.
    static let patience = 3.5
    /// The usual cost, in frames, below which a timetable is made from the mean cost.
    static let small = 0.9
    /// The share of time that is available for loads; the rest is for frames and input.
    static let share = 0.9

    // MARK: - Prediction of the next gesture

    /// The distance around the landing within which rows are loaded in advance, in viewports.
    static let reach = 1.1
    /// The same at a price: farther where work is nearly free.
    static func reach(at price: WorkPrice) -> Double { reach + 3 * max(0, 1 - price.level) }
    /// The required probability that a row is seen next before it could be loaded: at the neutral
    /// price 0.35, and at a lower one by the share of rows that were loaded in vain of late, and by
    /// how slowly rows load: then one that is missing keeps others waiting.
    static func likelihood(
        at price: WorkPrice, waste: Double
    ) -> (_ slowness: Double) -> Double {
        let (free, least) = (0.05 * exp(20 * (waste - budget)), 0.35 * price.level)
        return { slowness in max(free / max(1, slowness), least) }
    }
    /// The share of loaded rows that may be loaded in vain.
    static let budget = 0.25
    /// The assumed share before any gesture; greater where fingers scroll, since a hand that flings
    /// rests for longer than one on keys.
    static let (firstWaste, firstWasteInFlings) = (0.33, 0.6)
    /// The time for which such rows may occupy a scarce link to the display.
    static let transferring = 2.0
    /// The time in which a quick gesture passes a viewport.
    static let passing = 0.2
    /// The factor by which loads are taken to be slower than they usually are.
    static let caution = 2.0
    /// The weight of the prior for the reach of gestures, in gestures.
    static let guess = 1.7
    /// The reach in the prior that 1/e of the gestures exceed, in viewports.
    static let guessedReach = 0.4
    /// The share of gestures in the prior that reverse the direction.
    static let turning = 0.4
    /// The initial number of times that no further gesture follows.
    static let endings = 1.1
    /// The number of gestures that are remembered.
    static let memory = 8

    // MARK: - Rows elsewhere

    /// The number of rows up to which a list is short: it is loaded as a whole.
    static let short = 150
    /// The level of the price up to which it is.
    static let cheap = 0.2
    /// The time for which a list must rest before its first and last page are loaded too.
    static let pinning = Duration.seconds(10)
}

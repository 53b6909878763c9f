extension ValueRule {
    /// The tuning of the rule; times are in seconds.
    ///
    /// The defaults were found by a search on half of the recorded scrolls and on recorded and
    /// synthetic sessions, with several random draws of the costs, and validated on the others.
    /// Many other settings do nearly as well; of those, these keep all limits on the shipped
    /// traces.
    package struct Configuration: Sendable {
        // MARK: - Paths of the list

        /// The exponent of a flight's deceleration.
        ///
        /// The remaining distance falls as this power of the remaining time. 2 is constant
        /// deceleration; the curves of scrollers are near 3.
        package var exponent = 3.1
        /// The expected duration of a flight that has just begun.
        package var flight = 0.88
        /// The time after the release during which frames show nothing of the flight yet.
        package var unseen = 0.02
        /// The maximum duration of a flight.
        package var longestFlight = 2.0
        /// The time for which a list goes on that doesn't slow down, since it is being animated.
        package var animation = 0.9
        /// The time after the release at which the usual and the measured duration have equal
        /// weight.
        package var settling = 0.24
        /// The time for which a drag goes on unchanged.
        package var drag = 0.25
        /// The time for which the animation of a wheel or key event goes on.
        package var step = 0.26
        /// The probability that a dragging finger lifts for a fling at any moment.
        package var release = 0.6
        /// The factor by which some flights last longer than forecast, and their share.
        package var longer: (factor: Double, share: Double) = (1.4, 0.1)
        /// The factor by which some flights last shorter than forecast, and their share.
        package var shorter: (factor: Double, share: Double) = (0.45, 0.14)
        /// The time after which a forecast has 1/e of its weight.
        package var trust = 2.0

        // MARK: - Gain of a load

        /// The time in view beyond which more time adds no value; a row that will stay in view has
        /// this value, whenever it comes into view.
        package var cap = 0.21
        /// The number of rows considered beyond the landing, in the direction of scrolling.
        package var margin = 3
        /// The probability that those rows are seen.
        package var marginShare = 0.28
        /// The minimum gain per second of loading, in seconds in view.
        package var worth = 2.7
        /// The same for a load that is being fetched, since cancelling it loses the fetch.
        package var worthOfFetched = 0.5
        /// The assumed cost of a load before any was measured.
        package var unknownCost = 0.005

        // MARK: - Order

        /// The constant part of the slack that lowers a load's priority; see ``patience``.
        package var slack = 0.035
        /// The look-ahead of the rule "apparent tardiness cost" (Vepsäläinen and Morton, 1987): the
        /// slack that lowers a load's priority, in usual loads.
        package var patience = 3.5
        /// The usual cost, in frames, below which a timetable is made from the mean cost.
        package var small = 0.9
        /// The share of time that is available for loads; the rest is for frames and input.
        package var share = 0.9

        // MARK: - Prediction of the next gesture

        /// The distance around the landing within which rows are loaded in advance, in viewports.
        package var reach = 1.3
        /// The required probability that a row is seen next, if rows load no faster than they are
        /// passed.
        package var likelihood = 0.35
        /// The time in which a quick gesture passes a viewport.
        package var passing = 0.2
        /// The weight of the prior for the reach of gestures, in gestures.
        package var guess = 1.9
        /// The reach in the prior that 1/e of the gestures exceed, in viewports.
        package var guessedReach = 0.35
        /// The share of gestures in the prior that reverse the direction.
        package var turning = 0.4
        /// The initial number of times that no further gesture follows.
        package var endings = 1.1
        /// The number of gestures that are remembered.
        package var memory = 8

        // MARK: - First and last page

        /// The time for which a list must rest before its first and last page are loaded too.
        package var pinning = 3.0

        /// The defaults.
        package init() {}
    }
}

extension ValueRule.Configuration {
    /// Returns the minimum gain of a load, in seconds.
    ///
    /// It is at most half of the maximum gain of any load: a row that stays in view is loaded
    /// whatever it costs.
    func leastGain(of load: CandidateLoad, isBegun: Bool? = nil) -> Double {
        min(cap / 2, (isBegun ?? load.isFetching ? worthOfFetched : worth) * load.cost)
    }
}

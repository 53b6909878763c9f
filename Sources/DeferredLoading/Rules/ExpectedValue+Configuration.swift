extension ExpectedValue {
    /// The tuning of the rule; times are in seconds.
    ///
    /// The defaults were searched for on half of the recorded scrolls and on recorded and made-up
    /// sessions, with several draws of the costs, and judged on others. Many others do nearly as well;
    /// of those, these keep all bounds on the shipped traces.
    package struct Configuration: Sendable {
        // MARK: - Where the list goes

        /// The power by which a flight slows down.
        ///
        /// What is left of its way shrinks as that power of what is left of its time. With 2 it is
        /// constant deceleration; curves of scrollers are near 3.
        package var exponent = 3.1
        /// The duration of a flight that was only just begun.
        package var flight = 0.88
        /// The time after the release for which frames show nothing of it yet.
        package var unseen = 0.02
        /// The longest duration of a flight.
        package var longestFlight = 2.0
        /// The time the list goes on if it doesn't slow down: it's being animated.
        package var animation = 0.9
        /// For how long after the release the usual duration weighs as much as the measured one.
        package var settling = 0.24
        /// The time a drag goes on as it does.
        package var drag = 0.25
        /// The time a wheel's or a key's animation goes on.
        package var step = 0.26
        /// The likelihood that a finger that drags lets go for a fling at any moment.
        package var release = 0.6
        /// By how much flights last longer than foreseen, and how often.
        package var longer: (factor: Double, share: Double) = (1.4, 0.1)
        /// By how much they last shorter, and how often.
        package var shorter: (factor: Double, share: Double) = (0.45, 0.14)
        /// The time after which a forecast is worth 1/e.
        package var trust = 2.0

        // MARK: - What a load gains

        /// The time in view beyond which more of it isn't worth more; a row that will stay in view is
        /// worth that, whenever it comes.
        package var cap = 0.21
        /// The number of rows considered beyond the landing, in the direction of travel.
        package var margin = 3
        /// The likelihood that those are seen.
        package var marginShare = 0.28
        /// The seconds in view that a second of loading must gain.
        package var worth = 2.7
        /// The same for a load that is being fetched, since giving it up loses the fetch.
        package var worthOfFetched = 0.5
        /// The cost of a load before any has been seen.
        package var unknownCost = 0.005

        // MARK: - In what order

        /// The slack that makes a load wait, besides ``patience``.
        package var slack = 0.035
        /// The slack, in usual loads, that makes a load wait: the look-ahead of the rule "apparent
        /// tardiness cost" (Vepsäläinen and Morton, 1987).
        package var patience = 3.5
        /// The usual cost, in frames, below which a timetable is made of it.
        package var small = 0.9
        /// The share of the time that is left for loads; the rest goes to frames and input.
        package var share = 0.9

        // MARK: - What the next gesture may bring

        /// The distance around the landing within which rows are loaded beforehand, in viewports.
        package var reach = 1.3
        /// The likelihood that a row must have to be seen next, if rows load no faster than they pass.
        package var likelihood = 0.35
        /// The time a quick gesture takes to pass a viewport.
        package var passing = 0.2
        /// The number of gestures that the first guess of their reach is worth.
        package var guess = 1.9
        /// The reach of gestures by that guess, in viewports: to 1/e of them.
        package var guessedReach = 0.35
        /// The share of them that turn back by that guess.
        package var turning = 0.4
        /// The number of times nothing more happens, to begin with.
        package var endings = 1.1
        /// The number of gestures remembered.
        package var memory = 8

        // MARK: - First and last page

        /// The time a list must rest before its first and last page are loaded too.
        package var pinning = 3.0

        /// The defaults.
        package init() {}
    }
}

extension ExpectedValue.Configuration {
    /// Returns the least that a load must gain, in seconds.
    ///
    /// Never more than half of what any can: what stays in view is loaded whatever it costs.
    func leastGain(of load: ExpectedLoad, isBegun: Bool? = nil) -> Double {
        min(cap / 2, (isBegun ?? load.isFetching ? worthOfFetched : worth) * load.cost)
    }
}

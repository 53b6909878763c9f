/// The constants of ``ValueRule``; times are in seconds.
///
/// The article "Write a rule" has a table of what half and twice of each leaves blank and wastes.
package struct ValueTuning: Sendable {
    // MARK: - The path of the list

    /// The time for which a fling goes on from any of its frames, unless its target is known.
    package var flight = 0.74
    /// The power of the remaining time as which the remaining distance falls.
    package var exponent = 2.5
    /// The time for which a jump of the program goes on, at most.
    package var jumpTime = 1.0
    /// The power of the remaining time as which a jump's remaining distance falls.
    package var jumpExponent = 4.0
    /// The time for which the animation of a wheel or a key goes on; twice as long for a wheel where work
    /// is cheap, as another notch may follow.
    package var step = 0.25

    // MARK: - What a load gains

    /// The time in view beyond which more adds no value.
    package var cap = 0.33
    /// The price of work whose usual load is longer than a frame, as a part of the neutral one, since the
    /// list may move on before it's done; less for shorter loads.
    package var longWork = 0.4

    // MARK: - Order

    /// The time by which a load may be deferred at little loss, in usual loads.
    package var patience = 2.8

    // MARK: - The next gesture

    /// The distance around the landing within which rows are loaded in advance at the neutral price, in
    /// viewports; up to five times as far where work is free.
    package var reach = 0.8
    /// The probability that a row is seen next from which it's loaded at the neutral price.
    package var likelihood = 0.55
    /// The same where work is free.
    package var unlikely = 0.05
    /// The number of gestures that are remembered.
    package var memory = 8.0
    /// The number of gestures that are assumed before any.
    package var assumed = 2.4
    /// The share of the assumed gestures that turn.
    package var turning = 0.3
    /// The weight of the gesture after the next.
    package var second = 0.5

    /// The default constants.
    package init() {}
}

internal import LullLibC

extension VelocityTracker {
    /// The number and age of the samples used, and the length of a pause that counts as a stop.
    ///
    /// The defaults are those of Android.
    package struct Configuration: Sendable, Equatable {
        /// The maximum number of samples.
        package let capacity: Int

        /// The maximum age of a sample, relative to the newest.
        package let horizon: Duration

        /// The minimum number of samples; with fewer, the velocity is zero.
        package let fewest: Int

        /// The longest time without a sample that doesn't count as a stop.
        package let maximumGap: Duration

        /// The longest time without a movement before the lift that doesn't count as a stop.
        package let maximumRest: Duration

        /// The estimator.
        package let strategy: Strategy

        /// Whether a velocity against the way of the samples, which a fit gives for a finger that
        /// slows down, counts as none.
        package let isRestricted: Bool

        /// The minimum and the maximum velocity of a fling, in px per second.
        ///
        /// A slower finger has velocity zero, a faster one has the maximum.
        package let limits: ClosedRange<Double>

        /// A configuration for a finger, or for a device with another sampling rate.
        ///
        /// A `maximumRest` of nil is the same as `maximumGap`.
        ///
        /// - Precondition: `capacity` and `fewest` are at least 2, all times are positive, and no
        ///   limit is negative.
        package init(
            capacity: Int = 20,
            horizon: Duration = .milliseconds(100),
            fewest: Int = 2,
            maximumGap: Duration = .milliseconds(40),
            maximumRest: Duration? = nil,
            strategy: Strategy = .parabola,
            isRestricted: Bool = false,
            limits: ClosedRange<Double> = 0...Double.infinity
        ) {
            precondition(capacity >= 2 && fewest >= 2, "a velocity takes at least two samples")
            precondition(horizon > .zero && maximumGap > .zero, "a span of time is positive")
            precondition(limits.lowerBound >= 0, "a speed is zero or more")
            self.capacity = capacity
            self.horizon = horizon
            self.fewest = fewest
            self.maximumGap = maximumGap
            self.maximumRest = maximumRest ?? maximumGap
            self.strategy = strategy
            self.isRestricted = isRestricted
            self.limits = limits
        }

        /// The configuration of Android: 50 to 8000 px per second at density 1.
        package static let android = Configuration(limits: 50...8000)
        /// The configuration of Flutter on Android, which takes three samples.
        package static let flutter = Configuration(fewest: 3, limits: 50...8000)
        /// The configuration of Chromium on a desktop, whose devices may report a lift late: a rest
        /// of less than 80 ms before it is none. (Chromium, ui/events/velocity_tracker.)
        package static let chromium = Configuration(
            maximumRest: .milliseconds(80) - .nanoseconds(1), isRestricted: true,
            limits: 50...Double.infinity)
        /// The configuration of iOS.
        package static let iOS = Configuration(strategy: .iOS)
        /// The configuration of GTK: the distance of the last 150 ms divided by the time, whatever
        /// pauses there are.
        package static let gtk = Configuration(
            capacity: 40, horizon: .milliseconds(150), maximumGap: .milliseconds(150),
            strategy: .span)
        /// The configuration of Qt Quick, with its maximum flick velocity.
        package static let qt = Configuration(
            maximumGap: .milliseconds(50), strategy: .qt, limits: 0...2500)
    }
}

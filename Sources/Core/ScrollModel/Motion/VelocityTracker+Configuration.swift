internal import LullLibC

extension VelocityTracker {
    /// The number and age of the samples used, and the length of a pause that counts as a stop.
    ///
    /// The defaults are those of Android, Flutter and Chromium.
    package struct Configuration: Sendable, Equatable {
        /// The maximum number of samples.
        package let capacity: Int

        /// The maximum age of a sample, relative to the newest.
        package let horizon: Duration

        /// The longest time without a sample, or without movement at the end, that doesn't count as
        /// a stop.
        package let maximumGap: Duration

        /// The estimator.
        package let strategy: Strategy

        /// The minimum and the maximum velocity of a fling, in px per second.
        ///
        /// A slower finger has velocity zero, a faster one has the maximum.
        package let limits: ClosedRange<Double>

        /// A configuration for a finger, or for a device with another sampling rate.
        ///
        /// - Precondition: `capacity` is at least 2, both times are positive, and no limit is
        ///   negative.
        package init(
            capacity: Int = 20,
            horizon: Duration = .milliseconds(100),
            maximumGap: Duration = .milliseconds(40),
            strategy: Strategy = .parabola,
            limits: ClosedRange<Double> = 0...Double.infinity
        ) {
            precondition(capacity >= 2, "a velocity takes at least two samples")
            precondition(horizon > .zero && maximumGap > .zero, "a span of time is positive")
            precondition(limits.lowerBound >= 0, "a speed is zero or more")
            self.capacity = capacity
            self.horizon = horizon
            self.maximumGap = maximumGap
            self.strategy = strategy
            self.limits = limits
        }

        /// The configuration of Android and Flutter: 50 to 8000 px per second at density 1.
        package static let android = Configuration(limits: 50...8000)
        /// The configuration of Chromium.
        package static let chromium = Configuration(limits: 50...Double.infinity)
        /// The configuration of iOS.
        package static let iOS = Configuration(strategy: .iOS)
        /// The configuration of GTK: the distance of the last 150 ms divided by the time.
        package static let gtk = Configuration(
            capacity: 40, horizon: .milliseconds(150), strategy: .span)
        /// The configuration of Qt Quick, with its maximum flick velocity.
        package static let qt = Configuration(
            maximumGap: .milliseconds(50), strategy: .qt, limits: 0...2500)
    }
}

extension VelocityTracker {
    /// The number and age of the samples that count, and the length of a pause that is a stop.
    ///
    /// The defaults are those of Android, Flutter and Chromium.
    package struct Configuration: Sendable, Equatable {
        /// The most samples that are kept.
        package let capacity: Int

        /// The greatest age of a sample, compared with the newest.
        package let horizon: Duration

        /// The longest time without a sample, or without movement at the end, that is no stop.
        package let maximumGap: Duration

        /// The way in which the samples make a velocity.
        package let strategy: Strategy

        /// The slowest and the fastest fling, in px per second.
        ///
        /// A slower finger has no velocity, a faster one has the greatest.
        package let limits: ClosedRange<Double>

        /// Settings for a finger, or for a device that reports at another pace.
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

        /// Android's, which Flutter took over: 50 to 8000 px per second at density 1.
        package static let android = Configuration(limits: 50...8000)
        /// Chromium's.
        package static let chromium = Configuration(limits: 50...Double.infinity)
        /// iOS's.
        package static let iOS = Configuration(strategy: .iOS)
        /// macOS's.
        package static let macOS = Configuration(strategy: .macOS)
        /// GTK's: the way of the last 150 ms.
        package static let gtk = Configuration(
            capacity: 40, horizon: .milliseconds(150), strategy: .span)
        /// Qt Quick's, with its greatest flick velocity.
        package static let qt = Configuration(
            maximumGap: .milliseconds(50), strategy: .qt, limits: 0...2500)
    }
}

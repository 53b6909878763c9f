extension VelocityTracker {
    /// How many samples count, how old they may be, and how long a pause is a stop.
    ///
    /// The defaults are those of Android, Flutter and Chromium.
    public struct Configuration: Sendable, Equatable {
        /// The most samples that are kept.
        public let capacity: Int

        /// How much older than the newest a sample may be.
        public let horizon: Duration

        /// The longest time without a sample, or without movement at the end, that is no stop.
        public let maximumGap: Duration

        /// Settings for a finger, or for a device that reports at another pace.
        ///
        /// - Precondition: `capacity` is at least 2, both times are positive.
        public init(
            capacity: Int = 20,
            horizon: Duration = .milliseconds(100),
            maximumGap: Duration = .milliseconds(40)
        ) {
            precondition(capacity >= 2, "a velocity takes at least two samples")
            precondition(horizon > .zero && maximumGap > .zero, "a span of time is positive")
            self.capacity = capacity
            self.horizon = horizon
            self.maximumGap = maximumGap
        }
    }
}

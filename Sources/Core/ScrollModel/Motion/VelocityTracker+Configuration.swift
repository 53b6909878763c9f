extension VelocityTracker {
    /// The number and age of the samples used, and the length of a pause that counts as a stop.
    ///
    /// The defaults are those of Android.
    package struct Configuration: Sendable, Equatable {
        /// The maximum number of samples.
        var capacity = 20
        /// The maximum age of a sample, relative to the newest.
        var horizon = Duration.milliseconds(100)
        /// The minimum number of samples; with fewer, the velocity is zero.
        var fewest = 2
        /// The longest time without a sample that doesn't count as a stop.
        var maximumGap = Duration.milliseconds(40)
        /// The longest time without a movement before the lift that doesn't count as a stop; nil for
        /// the same as `maximumGap`.
        var maximumRest: Duration?
        /// The estimator.
        var strategy = Strategy.parabola
        /// Whether a velocity against the way of the samples, which a fit gives for a finger that
        /// slows down, counts as none.
        var isRestricted = false
        /// The minimum and the maximum velocity of a fling, in px per second.
        ///
        /// A slower finger has velocity zero, a faster one has the maximum.
        var limits = 0...Double.infinity

        /// The configuration of Android: 50 to 8000 px per second at density 1.
        static let android = Configuration(limits: 50...8000)
        /// The configuration of Flutter on Android, which takes three samples.
        static let flutter = Configuration(fewest: 3, limits: 50...8000)
        /// The configuration of Chromium on a desktop, whose devices may report a lift late: a rest
        /// of less than 80 ms before it is none. (Chromium, ui/events/velocity_tracker.)
        static let chromium = Configuration(
            maximumRest: .milliseconds(80) - .nanoseconds(1), isRestricted: true,
            limits: 50...Double.infinity)
        /// The configuration of iOS.
        static let iOS = Configuration(strategy: .iOS)
        /// The configuration of GTK: the distance of the last 150 ms divided by the time, whatever
        /// pauses there are.
        static let gtk = Configuration(
            capacity: 40, horizon: .milliseconds(150), maximumGap: .milliseconds(150),
            strategy: .span)
        /// The configuration of Qt Quick, with its maximum flick velocity.
        static let qt = Configuration(
            maximumGap: .milliseconds(50), strategy: .qt, limits: 0...2500)
    }
}

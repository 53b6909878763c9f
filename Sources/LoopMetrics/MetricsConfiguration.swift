/// What is measured of a loop, how often, and under which name.
public struct MetricsConfiguration: Sendable {
    /// The loop's name, which all its metrics have as a dimension.
    public var name = "main"
    /// How long after work has begun, and how often while it goes on, counts are handed on.
    public var period: Duration = .seconds(10)
    /// Whether each turn, and each run of a job, is timed.
    ///
    /// That is a record for each, which costs about as much again as a tiny job.
    public var timesWork = false

    /// The defaults.
    public init() {}
}

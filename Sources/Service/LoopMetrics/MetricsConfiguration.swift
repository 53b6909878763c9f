#if Metrics
/// The configuration of a loop's metrics.
public struct MetricsConfiguration: Sendable {
    /// The loop's name, which all its metrics have as a dimension.
    public var name = "main"
    /// The time from the beginning of work to a report, and between reports while the work
    /// continues.
    public var period: Duration = .seconds(10)

    /// Creates a configuration with default values.
    public init() {}
}
#endif

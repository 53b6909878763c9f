#if Logging
/// The configuration of a loop's log.
public struct LoggingConfiguration: Sendable {
    /// The period in which at most one line of each kind is written; a second at least.
    public var period: Duration = .seconds(1)
    /// The duration above which a turn is logged as long; nil to log none.
    ///
    /// If it's set, each job's run is recorded, which costs about as much again as a tiny job.
    public var longTurn: Duration?

    /// Creates a configuration with default values.
    public init() {}
}
#endif

/// How often a loop's log is written, and of what.
public struct LoggingConfiguration: Sendable {
    /// How long one line of a kind is for; a second at least.
    public var period: Duration = .seconds(1)
    /// From when on a turn is long; nil if nobody wants to know.
    ///
    /// To know, each job's run is recorded, which costs about as much again as a tiny job.
    public var longTurn: Duration?

    /// The defaults.
    public init() {}
}

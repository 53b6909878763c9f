/// The limits of what a loader keeps, tries again, and finishes although nobody wants it any more.
public struct LoaderConfiguration: Sendable {
    /// The number of values and failures kept; what is subscribed to stays, even if that is more.
    ///
    /// What nobody wants goes first, what was used longest ago before the rest; then what is wanted,
    /// the least urgent first, which comes back when there is room for it: a list that wants more than
    /// there is room for has the most urgent part of it, and rests.
    public var capacity = 512
    /// The bytes kept, as far as the source says what values have; nil for any number.
    ///
    /// What was fetched and isn't loaded yet, what was begun and given up, and previews count too.
    public var byteLimit: Int?
    /// The number of loads that were begun or fetched, and are no longer wanted, but kept in case
    /// they are wanted again; the one given up longest ago goes first.
    public var suspended = 8
    /// The part of a load or fetch that must be done for it to be finished when it's no longer
    /// wanted, after all else; nil if what isn't wanted is always taken back.
    public var nearlyDone: Double? = 0.5
    /// When failed loads are tried again, if the source leaves that open.
    public var backoff = Backoff()
    /// The time after which a fetch that was begun has failed; nil for never.
    public var fetchTimeout: Duration?
    /// The number of fetches that go on by themselves at once; those by workers are bounded
    /// by their pool.
    public var operations = 6

    /// The defaults.
    public init() {}
}

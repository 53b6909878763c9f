/// What a loader keeps, what it tries again, and what it finishes although nobody asks any more.
public struct LoaderConfiguration: Sendable {
    /// How many values and failures are kept; what is subscribed to stays, even if that is more.
    ///
    /// What nobody wants goes first, what was used longest ago before the rest; then what is wanted,
    /// the least urgent first, which comes back when there is room for it: a list that wants more than
    /// there is room for has the most urgent part of it, and rests.
    public var capacity = 512
    /// How many bytes are kept, as far as the source says what values have; nil for any number.
    ///
    /// What was fetched and isn't loaded yet, what was begun and given up, and previews count too.
    public var byteLimit: Int?
    /// How many loads that were begun or fetched, and are no longer wanted, are kept in case
    /// they are wanted again; the one given up longest ago goes first.
    public var suspended = 8
    /// The part of a load or fetch that must be done for it to be finished when it's no longer
    /// wanted, after all else; nil if what isn't wanted is always taken back.
    public var nearlyDone: Double? = 0.5
    /// When failed loads are tried again, if the source leaves that open.
    public var backoff = Backoff()
    /// How long a fetch may take once it was begun before it has failed; nil for ever.
    public var fetchTimeout: Duration?
    /// How many fetches that go on by themselves are under way at once; those by workers are bounded
    /// by their pool.
    public var operations = 6

    /// The defaults.
    public init() {}
}

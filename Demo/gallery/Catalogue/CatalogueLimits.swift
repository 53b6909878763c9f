/// The limits of a catalogue; what exceeds them is left out and reported.
public struct CatalogueLimits: Hashable, Sendable {
    /// The maximum number of pictures.
    public var rows = 1_000_000
    /// The maximum number of folders, including those without pictures.
    public var folders = 50_000
    /// The maximum depth of folders.
    public var depth = 32

    /// Creates the default limits.
    public init() {}
}

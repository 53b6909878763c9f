/// How much of a folder is shown; beyond it the catalogue says so, and goes on with what it has.
public struct CatalogueLimits: Hashable, Sendable {
    /// How many pictures.
    public var rows = 100_000
    /// How many folders, those without pictures included.
    public var folders = 10_000
    /// How many folders deep.
    public var depth = 32

    /// The defaults.
    public init() {}
}

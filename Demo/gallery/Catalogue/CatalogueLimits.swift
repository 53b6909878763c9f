/// The limits of a catalogue; beyond them it reports trouble, and goes on with what it has.
public struct CatalogueLimits: Hashable, Sendable {
    /// The most pictures.
    public var rows = 100_000
    /// The most folders, those without pictures included.
    public var folders = 10_000
    /// The greatest depth of folders.
    public var depth = 32
    /// Whether Internet shortcuts (`*.url`) are listed, each a picture on a server.
    public var listsShortcuts = false

    /// The defaults.
    public init() {}
}

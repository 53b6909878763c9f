/// What a recording doesn't say of itself.
public struct TraceFileOptions: Equatable, Sendable {
    /// How many units of a touch panel make the height of its viewport; nil to go by the header.
    public var touchRange: Double?
    /// How many units of a touch panel make a px; nil to go by the header.
    public var density: Double?
    /// The height of the viewport, in px, over which `touchRange` units extend.
    public var viewportHeight: Double
    /// How far a notch of a wheel moves the list, in px.
    public var notch: Double
    /// Which node of an rrweb recording scrolls; nil for the one with the most events.
    public var node: Int?
    /// How many inputs and offsets are kept at most: 4 million, nine hours at 120 Hz.
    public var limit: Int

    /// What is known, with a default for the rest.
    ///
    /// - Precondition: the numbers are positive and finite.
    public init(
        touchRange: Double? = nil, density: Double? = nil, viewportHeight: Double = 800,
        notch: Double = 120, node: Int? = nil, limit: Int = 4_000_000
    ) {
        let lengths = [touchRange ?? 1, density ?? 1, viewportHeight, notch]
        precondition(
            lengths.allSatisfy { $0 > 0 && $0.isFinite } && limit > 0,
            "what describes a recording is positive and finite")
        self.touchRange = touchRange
        self.density = density
        self.viewportHeight = viewportHeight
        self.notch = notch
        self.node = node
        self.limit = limit
    }
}

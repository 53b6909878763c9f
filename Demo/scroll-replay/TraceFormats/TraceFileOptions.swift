/// Facts that a recording doesn't contain.
public struct TraceFileOptions: Equatable, Sendable {
    /// The number of touch panel units in the height of the viewport; nil to use the header.
    public var touchRange: Double?
    /// The number of touch panel units in a px; nil to use the header.
    public var density: Double?
    /// The height of the viewport, in px, which corresponds to `touchRange` units.
    public var viewportHeight: Double
    /// The distance that a notch of a wheel scrolls, in px.
    public var notch: Double
    /// The scrolling node of an rrweb recording; nil for the one with the most events.
    public var node: Int?
    /// The maximum number of inputs and offsets kept: 4 million, nine hours at 120 Hz.
    public var limit: Int

    /// Creates options, with defaults for unknown facts.
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

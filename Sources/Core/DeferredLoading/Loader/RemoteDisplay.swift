/// A display in another process, such as a page in a browser: what it has, and the way to it.
///
/// For rules a row that is loaded, and not on the display yet, waits to be sent: it costs nothing,
/// and is wanted. Rows on the display need no room in the loader.
///
/// ```swift
/// let facts = loader.facts(
///     on: RemoteDisplay(
///         has: { sent.contains($0) }, delivery: { roundTrip / 2 },
///         transfer: { .seconds(20_000 / bytesPerSecond) })
/// ) { row in names[row] }
/// ```
public struct RemoteDisplay<Key> {
    /// Returns whether the display has the value of a key.
    public var has: (Key) -> Bool
    /// Returns the time from the end of a load until its row is seen; see ``LoadStatus/delivery``.
    public var delivery: () -> Duration
    /// Returns the time for which a row occupies the link to the display; see
    /// ``LoadStatus/transfer``.
    public var transfer: () -> Duration

    /// A display with these measurements, which are asked for at each question of a rule.
    public init(
        has: @escaping (Key) -> Bool, delivery: @escaping () -> Duration = { .zero },
        transfer: @escaping () -> Duration = { .zero }
    ) {
        self.has = has
        self.delivery = delivery
        self.transfer = transfer
    }
}

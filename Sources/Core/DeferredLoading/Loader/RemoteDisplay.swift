/// A display in another process, such as a page in a browser: what it has, the way to it, and how much
/// may be loaded for it.
///
/// For rules a row that is loaded, and not on the display yet, waits to be sent: it costs nothing,
/// and is wanted. Rows on the display need no room in the loader.
///
/// ```swift
/// let display = RemoteDisplay(
///     has: { sent.contains($0) }, delivery: { roundTrip / 2 },
///     transfer: { .seconds(20_000 / bytesPerSecond) }, admits: { min($0.count, 128) })
/// ```
public struct RemoteDisplay<Key: Hashable> {
    let has: (Key) -> Bool
    var delivery: () -> Duration
    let transfer: () -> Duration
    let admits: ([Wanted<Key>]) -> Int

    /// A display with these measurements, which are asked for at each question of a rule.
    ///
    /// - Parameters:
    ///   - has: returns whether the display has the value of a key, or knows that there is none.
    ///   - delivery: returns the time from the end of a load until its row is seen; see
    ///     ``LoadStatus/delivery``.
    ///   - transfer: returns the time for which a row occupies the link to the display; see
    ///     ``LoadStatus/transfer``.
    ///   - admits: returns how many of the keys that the display lacks may be requested, those that
    ///     come first, which are the most urgent; see ``DeferredList/update()``. They are requested
    ///     in place of those that were requested before; keys among them that aren't there any more
    ///     are cancelled. The others are wanted again when half of the requested loads have ended, or
    ///     after 250 ms.
    public init(
        has: @escaping (Key) -> Bool, delivery: @escaping () -> Duration = { .zero },
        transfer: @escaping () -> Duration = { .zero },
        admits: @escaping ([Wanted<Key>]) -> Int = { $0.count }
    ) {
        self.has = has
        self.delivery = delivery
        self.transfer = transfer
        self.admits = admits
    }
}

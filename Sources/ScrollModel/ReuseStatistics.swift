/// What a reuse pool has done since it was made, counted.
///
/// `created` less `dropped` is how many cells the pool has now.
package struct ReuseStatistics: Equatable, Sendable {
    /// Cells that were made because none of their kind was free.
    package internal(set) var created = 0
    /// Times a cell that had been used before was handed out again.
    package internal(set) var reused = 0
    /// Cells for which their reserve had no room.
    package internal(set) var droppedByCapacity = 0
    /// Cells that had waited in reserve too long.
    package internal(set) var droppedByAge = 0
    /// Cells that were taken out by ``ReusePool/drain()``.
    package internal(set) var drained = 0

    /// Cells that left the pool, for whatever reason.
    package var dropped: Int { droppedByCapacity + droppedByAge + drained }

    /// Nothing done yet.
    package init() {}
}

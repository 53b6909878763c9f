/// The limits of a reserve of cells: how many wait there, and for how long.
///
/// ```swift
/// ReuseLimits<Kind>(capacity: 5, capacities: [.video: 1], age: 120)
/// ```
///
/// Both limits are kept at the end of each layout pass; cells on screen aren't counted.
public struct ReuseLimits<Identifier: Hashable> {
    /// The most cells in reserve for each identifier that has no limit of its own.
    package let capacity: Int

    /// The limits of single identifiers; one of 0 keeps none of its cells.
    package let capacities: [Identifier: Int]

    /// The layout passes that a cell waits in reserve before it's dropped; nil for any number.
    package let age: Int?

    /// Five cells of a kind, each for 300 passes: five seconds of scrolling at 60 frames a second.
    ///
    /// - Precondition: No limit is negative.
    public init(capacity: Int = 5, capacities: [Identifier: Int] = [:], age: Int? = 300) {
        precondition(
            capacity >= 0 && capacities.values.allSatisfy { $0 >= 0 },
            "a reserve holds no fewer than zero cells")
        precondition(age.map { $0 >= 0 } ?? true, "a cell waits no fewer than zero passes")
        self.capacity = capacity
        self.capacities = capacities
        self.age = age
    }

    /// The most cells in reserve for an identifier.
    package func capacity(of identifier: Identifier) -> Int {
        capacities[identifier] ?? capacity
    }
}

extension ReuseLimits: Sendable where Identifier: Sendable {}
extension ReuseLimits: Equatable {}

/// Counts of what a reuse pool has done since it was made.
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

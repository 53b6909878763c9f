internal import LullLibC

/// The limits of a reserve of cells: the number of cells, and the time for which they are kept.
///
/// ```swift
/// ReuseLimits<Kind>(capacity: 5, capacities: [.video: 1], age: 120)
/// ```
///
/// Both limits are applied at the end of each layout pass; cells on screen aren't counted.
public struct ReuseLimits<Identifier: Hashable> {
    /// The maximum number of cells in reserve for each identifier that has no limit of its own.
    package let capacity: Int

    /// The limits of single identifiers; with 0, none of its cells is kept.
    package let capacities: [Identifier: Int]

    /// The number of layout passes after which a cell in reserve is dropped; nil for no limit.
    package let age: Int?

    /// Limits of five cells of a kind, each for 300 passes: five seconds of scrolling at 60 frames
    /// a second.
    ///
    /// - Precondition: No limit is negative.
    ///
    /// Traps if a number is negative.
    public init(capacity: Int = 5, capacities: [Identifier: Int] = [:], age: Int? = 300) {
        precondition(capacity >= 0, "a reserve holds no fewer than zero cells")
        precondition(
            capacities.values.allSatisfy { $0 >= 0 }, "a reserve holds no fewer than zero cells")
        precondition(age.map { $0 >= 0 } ?? true, "a cell waits no fewer than zero passes")
        self.capacity = capacity
        self.capacities = capacities
        self.age = age
    }

    /// Returns the maximum number of cells in reserve for an identifier.
    package func capacity(of identifier: Identifier) -> Int {
        capacities[identifier] ?? capacity
    }
}

extension ReuseLimits: Sendable where Identifier: Sendable {}
extension ReuseLimits: Equatable {}

/// The counts of what a reuse pool has done since it was created.
///
/// `created` minus `dropped` is the number of cells in the pool now.
package struct ReuseStatistics: Equatable, Sendable {
    /// Cells that were created because none of their kind was free.
    package internal(set) var created = 0
    /// The number of times that a used cell was dequeued again.
    package internal(set) var reused = 0
    /// Cells that were dropped because their reserve was full.
    package internal(set) var droppedByCapacity = 0
    /// Cells that were dropped because they had been in reserve too long.
    package internal(set) var droppedByAge = 0

    /// Cells that left the pool, for any reason.
    package var dropped: Int { droppedByCapacity + droppedByAge }

    /// Counts of zero.
    package init() {}
}

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
    let capacity: Int

    /// The limits of single identifiers; with 0, none of its cells is kept.
    let capacities: [Identifier: Int]

    /// The number of layout passes after which a cell in reserve is dropped; nil for no limit.
    let age: Int?

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
    func capacity(of identifier: Identifier) -> Int {
        capacities[identifier] ?? capacity
    }
}

extension ReuseLimits: Sendable where Identifier: Sendable {}
extension ReuseLimits: Equatable {}

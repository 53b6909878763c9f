public import DeferredLoading
public import IdleLoop
public import ScrollModel

extension Replay {
    /// The result of a replay.
    public struct Outcome: Sendable {
        /// The figures.
        public var figures: Figures
        /// The rows that couldn't be loaded, with their errors, in the order of rows.
        public var failures: [(row: Int, reason: any Error)]
        /// The rows visible at the end that are neither loaded nor failed.
        public var unsettled: [Int]
        /// The number of wake-ups of the loop after the replay had ended and nothing was left to
        /// do; nil except in real time.
        public var quietWakeups: Int?
        /// The loop's statistics.
        public var loop: Statistics
    }

    /// An event in a replay, for observers.
    public enum Note: Equatable, Sendable {
        /// A policy returned a new set of wanted rows.
        case wanted([Wanted<Int>])
        /// The first slice of a row's load is about to run, here or on a lane.
        case began(row: Int)
        /// A row's load is finished.
        case finished(row: Int)
        /// A row's load has failed.
        case failed(row: Int)
        /// A frame begins with these visible rows, of which `missing` are neither loaded nor
        /// failed.
        case frame(number: Int, visible: RowSet, missing: Int)
    }
}

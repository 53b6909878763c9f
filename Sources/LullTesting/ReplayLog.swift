public import DeferredLoading
public import ScrollModel

/// All that happened in a replay, in order: from which it can be drawn, explained and counted again.
///
/// Times are whole nanoseconds from the start of the trace.
public struct ReplayLog: Sendable {
    /// A frame that was shown.
    public struct Frame: Equatable, Sendable {
        /// Its number; those that are missing were dropped.
        public var number: Int
        /// The time at which it was due.
        public var due: Int64
        /// The time at which it began.
        public var start: Int64
        /// The time at which it ended.
        public var end: Int64
        /// The time at which the next was due.
        public var deadline: Int64
        /// The content offset that it showed, in px.
        public var offset: Double
        /// The rows on screen.
        public var visible: Range<Int>
        /// Those of them that were neither loaded nor failed as it began.
        public var missing: [Int]
        /// The number of jobs in the queue as it began, those being fetched among them.
        public var queued: Int

        /// Whether it ended after the next was due.
        public var isLate: Bool { end > deadline }
    }

    /// An input that was taken.
    public struct Input: Equatable, Sendable {
        /// The time at which it came.
        public var time: Int64
        /// The time at which it was taken.
        public var start: Int64
        /// The time at which it had been seen to.
        public var end: Int64
        /// The input.
        public var input: Trace.Input
    }

    /// A piece of a row's load on the loop.
    public struct Slice: Equatable, Sendable {
        /// The row.
        public var row: Int
        /// The time at which it began.
        public var start: Int64
        /// The time at which it ended.
        public var end: Int64
        /// Whether the row was loaded, or had failed, with it.
        public var isLast: Bool
    }

    /// A fling that was predicted at the lift of a finger.
    public struct Prediction: Equatable, Sendable {
        /// The time of the lift.
        public var time: Int64
        /// The offset at which the list was expected to rest, in px.
        public var target: Double
    }

    /// The names of what was played.
    public var title = Title()
    /// The list, by whose layout the offsets are understood.
    public var list: ListLayout
    /// The viewport's height in px.
    public var viewportHeight: Double
    /// Frames, in order.
    public internal(set) var frames: [Frame] = []
    /// Inputs, in order.
    public internal(set) var inputs: [Input] = []
    /// Work on the loop, in order.
    public internal(set) var slices: [Slice] = []
    /// Predictions, in order.
    public internal(set) var predictions: [Prediction] = []
    /// Decisions about rows and what became of them, in order; the time is that since the start.
    public internal(set) var decisions: [LoadDecision<Int>] = []
    /// Rows that were loaded before the trace began.
    public internal(set) var warm: [Int] = []
    /// The trace's end, its tail included.
    public internal(set) var end: Int64 = 0
    /// The result of the replay.
    public internal(set) var figures = Figures()

    /// The names of a replay's parts.
    public struct Title: Equatable, Sendable {
        /// The trace.
        public var trace = ""
        /// The rule.
        public var policy = ""
        /// The engine.
        public var engine = ""
        /// The cost of loads.
        public var setting = ""
        /// Frames a second.
        public var hz = 60
        /// The seed of the costs.
        public var seed: UInt64 = 1
    }

    /// An empty log of a list.
    init(list: ListLayout, viewportHeight: Double) {
        self.list = list
        self.viewportHeight = viewportHeight
    }
}

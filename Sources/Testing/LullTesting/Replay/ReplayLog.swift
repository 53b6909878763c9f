public import DeferredLoading
public import IdleLoop
public import ScrollModel

/// The log of a replay, in order: sufficient to draw it, explain it, and compute its figures again.
///
/// `Instant.zero` is the start of the trace.
public struct ReplayLog: Sendable {
    /// A frame that was shown.
    public struct Frame: Equatable, Sendable {
        /// The number; numbers that are missing belong to dropped frames.
        public var number: Int
        /// The time at which it was due.
        public var due: Instant
        /// The time at which it began.
        public var start: Instant
        /// The time at which it ended.
        public var end: Instant
        /// The time at which the next was due.
        public var deadline: Instant
        /// The content offset that it showed, in px.
        public var offset: Double
        /// The rows on screen.
        public var visible: RowSet
        /// The visible rows that were neither loaded nor failed when the frame began.
        public var missing: [Int]
        /// The number of jobs in the queue when the frame began, including those being fetched.
        public var queued: Int

        /// Whether it ended after the next was due.
        public var isLate: Bool { end > deadline }
    }

    /// An input that was handled.
    public struct Input: Equatable, Sendable {
        /// The time at which it arrived.
        public var time: Instant
        /// The time at which its handling began.
        public var start: Instant
        /// The time at which its handling ended.
        public var end: Instant
        /// The input.
        public var input: Trace.Input
    }

    /// A slice of a row's load.
    public struct Slice: Equatable, Sendable {
        /// The row.
        public var row: Int
        /// The lane on which it ran: 0 is the loop.
        public internal(set) var lane = 0
        /// The time at which it began.
        public var start: Instant
        /// The time at which it ended.
        public var end: Instant
        /// Whether it completed the load, or the load failed in it.
        public var isLast: Bool
    }

    /// A fling whose landing was predicted at the lift of a finger.
    public struct Prediction: Equatable, Sendable {
        /// The time of the lift.
        public var time: Instant
        /// The predicted offset of the list at rest, in px.
        public var target: Double
    }

    /// The names of the replay's parts.
    public var title = Title()
    /// The list, whose layout maps offsets to rows.
    public var list: ListLayout
    /// The viewport's height in px.
    public var viewportHeight: Double
    /// The frames, in order.
    public internal(set) var frames: [Frame] = []
    /// The inputs, in order.
    public internal(set) var inputs: [Input] = []
    /// The slices of work, in the order of their starts.
    public private(set) var slices: [Slice] = []
    /// The predictions, in order.
    public internal(set) var predictions: [Prediction] = []
    /// The decisions about rows and their outcomes, in order.
    public internal(set) var decisions: [LoadDecision<Int>] = []
    /// The rows that were loaded before the trace began.
    public internal(set) var warm: [Int] = []
    /// The trace's end, including its tail.
    public internal(set) var end = Instant.zero
    /// The result of the replay.
    public internal(set) var figures = Figures()

    /// The names of a replay's parts.
    public struct Title: Equatable, Sendable {
        /// The trace.
        public var trace = ""
        /// The rule.
        public var policy = ""
        /// The strategy by which loads are scheduled.
        public var engine = ""
        /// The cost of loads.
        public var setting = ""
        /// The frames per second.
        public var hz = 60
        /// The seed of the costs.
        public var seed: UInt64 = 1
        /// The number of lanes.
        public var lanes = 0
    }

    /// The last slice of each lane but the loop.
    private var lanes: [Slice] = []

    /// Creates an empty log of a list.
    init(list: ListLayout, viewportHeight: Double) {
        self.list = list
        self.viewportHeight = viewportHeight
    }

    /// Adds a slice; one that didn't run on the loop is given the lane of the slice before it, or the
    /// first that is free.
    mutating func add(_ slice: Slice, isOnLoop: Bool) {
        var slice = slice
        if !isOnLoop {
            let free = lanes.indices.filter { lanes[$0].end <= slice.start }
            let same = free.first { lanes[$0].row == slice.row && lanes[$0].end == slice.start }
            let place = same ?? free.first ?? lanes.count
            slice.lane = place + 1
            if place == lanes.count { lanes.append(slice) } else { lanes[place] = slice }
        }
        slices.append(slice)
    }
}

package import DeferredLoading

/// All that the live screen shows, as a value.
package struct LiveScene: Sendable {
    /// How far a row has come.
    package enum RowState: Equatable, Sendable {
        /// It's there.
        case loaded
        /// It can't be had.
        case failed
        /// So many nanoseconds were spent on it.
        case loading(Int64)
        /// So many were spent on it, and a first picture of it is there.
        case refined(Int64)
        /// Its fetch is under way.
        case fetching
        /// It waits for its turn.
        case waiting
        /// Nobody wants it.
        case unwanted
    }

    /// A row on screen.
    package struct Row: Sendable {
        package var row: Int
        /// Where it begins below the viewport's upper edge, in px.
        package var top: Double
        package var height: Double
        package var state: RowState
        /// What can be shown of it.
        package var picture: LivePicture?
    }

    /// Something that is wanted and not there.
    package struct Job: Sendable {
        package var row: Int
        package var urgency: Urgency
        package var rank: Int
        package var state: RowState
    }

    /// Where a fling is expected to rest.
    package struct Landing: Equatable, Sendable {
        package var target: Double
        package var rows: Range<Int>
    }

    /// A frame that was shown.
    package struct Frame: Equatable, Sendable {
        /// The part of the time from when it was due to when the next was in which the loop worked.
        package var busy: Double
        /// From when it was due to its end, in frame periods.
        package var span: Double
        package var isLate: Bool
        package var missing: Int
    }

    package var trace = ""
    package var policy = ""
    package var engine = ""
    package var setting = ""
    package var hz = 60
    /// Now and the end, in nanoseconds.
    package var time: Int64 = 0
    package var end: Int64 = 1
    package var speed = 1.0
    package var isPaused = false
    package var isHelpShown = false
    /// Something to say for a moment.
    package var message: String?

    package var offset = 0.0
    package var viewportHeight = 800.0
    package var rows: [Row] = []
    package var jobs: [Job] = []
    package var landing: Landing?
    /// What the rule wants alone while its gate is shut.
    package var gate: Range<Int>?
    /// The frames shown last.
    package var frames: [Frame] = []
    /// What was decided last, the newest at the end.
    package var lines: [StoryLine] = []
    package var figures = LiveFigures()

    /// Nothing to show yet.
    package init() {}

    /// Whether the trace is over.
    package var isOver: Bool { time >= end }
}

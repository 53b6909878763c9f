package import DeferredLoading

/// The content of the live screen, as a value.
package struct LiveScene: Sendable {
    /// The loading state of a row.
    package enum RowState: Equatable, Sendable {
        /// The row is loaded.
        case loaded
        /// Loading has failed.
        case failed
        /// Loading has taken this number of nanoseconds so far.
        case loading(Int64)
        /// Loading has taken this number of nanoseconds so far, and a preview is available.
        case refined(Int64)
        /// The fetch is in progress.
        case fetching
        /// The row waits in the queue.
        case waiting
        /// The row isn't wanted.
        case unwanted
    }

    /// A row on screen.
    package struct Row: Sendable {
        package var row: Int
        /// The distance of the row's top from the viewport's top, in px.
        package var top: Double
        package var height: Double
        package var state: RowState
        /// The picture to show, if there is one.
        package var picture: LivePicture?
    }

    /// A row that is wanted and not loaded.
    package struct Job: Sendable {
        package var row: Int
        package var urgency: Urgency
        package var rank: Int
        package var state: RowState
    }

    /// The predicted landing of a fling.
    package struct Landing: Equatable, Sendable {
        package var target: Double
        package var rows: Range<Int>
    }

    /// A frame that was shown.
    package struct Frame: Equatable, Sendable {
        /// The share of the time from this frame's due time to the next one's for which the loop
        /// worked.
        package var busy: Double
        /// The time from when the frame was due to its end, in frame periods.
        package var span: Double
        package var isLate: Bool
        package var missing: Int
    }

    package var trace = ""
    package var policy = ""
    package var engine = ""
    package var setting = ""
    package var hz = 60
    /// The current time and the end of the trace, in nanoseconds.
    package var time: Int64 = 0
    package var end: Int64 = 1
    package var speed = 1.0
    package var isPaused = false
    package var isHelpShown = false
    /// A message that is shown briefly.
    package var message: String?

    package var offset = 0.0
    package var viewportHeight = 800.0
    package var rows: [Row] = []
    package var jobs: [Job] = []
    package var landing: Landing?
    /// The only rows that the rule wants while its gate is closed.
    package var gate: Range<Int>?
    /// The last frames.
    package var frames: [Frame] = []
    /// The last decisions, the newest at the end.
    package var lines: [StoryLine] = []
    package var figures = LiveFigures()

    /// Creates an empty scene.
    package init() {}

    /// Whether the trace is over.
    package var isOver: Bool { time >= end }
}

/// A recorded scroll: what the fingers, the wheel and the keys did, and where the list was.
///
/// Times are whole nanoseconds from the start of the trace, in order; offsets are px.
public struct Trace: Equatable, Sendable {
    /// An input.
    public enum Input: Equatable, Sendable {
        /// A finger touched at y, which grows downwards.
        case down(y: Double)
        /// The finger moved to y.
        case move(y: Double)
        /// The finger left at y.
        case up(y: Double)
        /// The touch was taken away at y: no fling comes of it.
        case cancel(y: Double)
        /// A wheel moved the list by so many px.
        case wheel(dy: Double)
        /// A key was pressed.
        case key
    }

    /// Something that came in, and when.
    public struct Event: Equatable, Sendable {
        /// Nanoseconds from the start.
        public var time: Int64
        /// The input.
        public var input: Input

        /// An input and its time.
        public init(time: Int64, _ input: Input) {
            self.time = time
            self.input = input
        }
    }

    /// The list's offset at a time.
    public struct Sample: Equatable, Sendable {
        /// Nanoseconds from the start.
        public var time: Int64
        /// The content offset in px.
        public var offset: Double

        /// An offset and its time.
        public init(time: Int64, offset: Double) {
            self.time = time
            self.offset = offset
        }
    }

    /// The trace's name: its file's without the extension.
    public var name: String
    /// Inputs, in order.
    public var events: [Event]
    /// The list's offsets, in order; empty if only the input was recorded.
    public var samples: [Sample]
    /// The height of the viewport it was recorded in, in px, if the recording says.
    public var viewportHeight: Double?
    /// The frames a second it was recorded at, if the recording says.
    public var hz: Int?

    /// A trace of these events and samples, each in the order of their times.
    public init(
        name: String, events: [Event], samples: [Sample], viewportHeight: Double? = nil,
        hz: Int? = nil
    ) {
        precondition(
            zip(events, events.dropFirst()).allSatisfy { $0.time <= $1.time }
                && zip(samples, samples.dropFirst()).allSatisfy { $0.time <= $1.time },
            "a trace's times never go back")
        self.name = name
        self.events = events
        self.samples = samples
        self.viewportHeight = viewportHeight
        self.hz = hz
    }

    /// The time of the last thing in the trace.
    public var duration: Int64 {
        max(events.last?.time ?? 0, samples.last?.time ?? 0)
    }
}

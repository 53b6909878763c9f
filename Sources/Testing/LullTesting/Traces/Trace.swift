internal import LullLibC
public import ScrollModel

/// A recorded scroll: the inputs of fingers, wheel and keys, the jumps of the program, and the
/// offsets of the list.
///
/// Times are in order, and `Instant.zero` is the start of the trace; offsets are px.
public struct Trace: Equatable, Sendable {
    /// An input.
    public enum Input: Equatable, Sendable {
        /// A finger touched at y, which grows downwards.
        case down(y: Double)
        /// The finger moved to y.
        case move(y: Double)
        /// The finger lifted at y.
        case up(y: Double)
        /// The touch was cancelled at y: no fling follows.
        case cancel(y: Double)
        /// A wheel scrolled the list by `dy` px.
        case wheel(dy: Double)
        /// A key was pressed.
        case key
        /// The program began to scroll to an offset in px, such as the list's top.
        ///
        /// It has ended when the list has reached it and stands still, or another gesture begins.
        case jump(target: Double)
    }

    /// An input with its time.
    public struct Event: Equatable, Sendable {
        /// The time, on a clock that begins with the trace.
        public var time: Instant
        /// The input.
        public var input: Input
        /// The list's offset at a turn of a wheel or a key press, if the recording contains it.
        public var offset: Double?

        /// Creates an event from an input and its time.
        public init(time: Instant, _ input: Input, offset: Double? = nil) {
            self.time = time
            self.input = input
            self.offset = offset
        }
    }

    /// The list's offset at a time.
    public struct Sample: Equatable, Sendable {
        /// The time, on a clock that begins with the trace.
        public var time: Instant
        /// The content offset in px.
        public var offset: Double

        /// Creates a sample from an offset and its time.
        public init(time: Instant, offset: Double) {
            self.time = time
            self.offset = offset
        }
    }

    /// The trace's name: its file's name without the extension.
    public var name: String
    /// The inputs, in order.
    public var events: [Event]
    /// The list's offsets, in order; empty if only the input was recorded.
    public var samples: [Sample]
    /// The height of the recorded viewport in px, if the recording contains it.
    public var viewportHeight: Double?
    /// The frames per second of the recording, if it contains them.
    public var hz: Int?

    /// Creates a trace of these events and samples, each in the order of their times.
    ///
    /// Traps if they aren't.
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

    /// The time of the last event or sample.
    public var end: Instant { max(events.last?.time ?? .zero, samples.last?.time ?? .zero) }
}

public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// The cost of a load and the length of its fetch, by name.
public enum Setting: String, CaseIterable, Sendable {
    /// 1 to 16 ms a load, without a fetch.
    case standard = "default"
    /// A quarter of the default's cost.
    case light
    /// Four times the default's cost.
    case heavy
    /// The default's cost, after a fetch of 80 ms.
    case latency

    /// The minimum cost of a load.
    public var cost: Duration {
        switch self {
        case .standard, .latency: .milliseconds(1)
        case .light: .microseconds(250)
        case .heavy: .milliseconds(4)
        }
    }

    /// The length of a fetch.
    public var latency: Duration {
        self == .latency ? .milliseconds(80) : .zero
    }
}

/// The options of a replay, which determine its result.
public struct ReplayOptions: Sendable {
    /// The source of a fling's landing.
    public enum Target: String, CaseIterable, Sendable {
        /// The trace itself: the offset at which the list came to rest.
        case trace
        /// The predictor, from the touches alone.
        case model
    }

    /// The clock of a replay.
    public enum Clock: String, CaseIterable, Sendable {
        /// Virtual time: the same figures on any machine.
        case virtual
        /// The machine's clock: real time, with real work.
        case real
    }

    /// The maximum length of a slice of a load on the loop; nil for whole loads.
    public var slice: Duration? = .milliseconds(2)
    /// Whether a slice also ends when the next frame or timer is due.
    public var endsSlicesWhenDue = true
    /// Whether missing rows are loaded in the frame in which they appear, as simple lists do,
    /// instead of by the rule in lulls.
    public var loadsInFrame = false
    /// The clock of the replay.
    public var clock = Clock.virtual
    /// The minimum cost of a load, if there are no pictures.
    public var cost: Duration = .milliseconds(1)
    /// The length of a fetch; zero for none.
    public var latency: Duration = .zero
    /// The number of concurrent fetches.
    public var fetches = 4
    /// The number of lanes on which loads run, 64 at most; zero for loads on the loop alone.
    ///
    /// Lanes are simulated, so that only replays on virtual time have any.
    public var lanes = 0
    /// The maximum number of waiting jobs, that of a list with a queue of its own by default; nil for
    /// no limit.
    public var queueLimit: Int? = QueueConfiguration.list.limit
    /// The loader's limits, and the least and the greatest price of work; a loader's defaults, or
    /// those of the model of replays.
    public var limits = LoaderConfiguration()
    /// The seed of the costs.
    public var seed: UInt64 = 1
    /// The frames per second.
    public var hz = 60
    /// The time at which the first frame is due.
    public var phase: Duration = .milliseconds(1)
    /// Whether policies know the cost of each row's load beforehand.
    public var hasHints = false
    /// Whether the loader knows the kind of each row's load, and learns what kinds cost.
    public var hasKinds = false
    /// Whether events are recorded in ``Replay/log``.
    public var isLogged = false
    /// Whether the first viewport is loaded before the trace begins.
    public var isWarm = true
    /// The source of a fling's landing.
    public var target = Target.model
    /// The scroller that moves the list.
    public var scroller = Scroller(.chromium)
    /// The distance in px that a finger moves before the list follows, in a trace without samples.
    public var slop = 0.0
    /// The time for which the loop is observed after a replay in real time, to check that it
    /// sleeps.
    package var quiet: Duration = .milliseconds(500)

    /// Creates the default options.
    public init() {}

    /// Returns the clock of a replay's loop.
    func makeClock() -> LoopClock {
        clock == .virtual ? .virtual(VirtualTime()) : .monotonic
    }
}

extension LoaderConfiguration {
    /// The limits of the model of replays: everything is kept, and nothing is finished that is no
    /// longer wanted.
    ///
    /// With these and without a limit of the queue, other implementations of the model have the same
    /// figures.
    public static var model: LoaderConfiguration {
        var limits = LoaderConfiguration()
        limits.capacity = .max
        limits.finishesFetches = false
        return limits
    }
}

public import ScrollModel

/// The cost of a load and the length of its fetch, by name.
public enum Setting: String, CaseIterable, Sendable {
    /// 1 to 16 ms a load, nothing to fetch.
    case standard = "default"
    /// A quarter of that.
    case light
    /// Four times that.
    case heavy
    /// The default's loads, each after a fetch of 80 ms.
    case latency

    /// The least that a load costs.
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

/// Everything that decides what a replay does.
public struct ReplayOptions: Sendable {
    /// The source of a fling's landing.
    public enum Target: String, CaseIterable, Sendable {
        /// From the trace itself: where the list really came to rest.
        case trace
        /// From the predictor, by the fingers alone.
        case model
    }

    /// The clock of a replay.
    public enum Clock: String, CaseIterable, Sendable {
        /// Virtual time: the same figures on any machine.
        case virtual
        /// The machine's: in real time, with real work.
        case real
    }

    /// The way in which rows are loaded.
    public var engine = Engine.lull
    /// The clock of the replay.
    public var clock = Clock.virtual
    /// The least that a load costs, if there are no pictures.
    public var cost: Duration = .milliseconds(1)
    /// The length of a fetch; zero for none.
    public var latency: Duration = .zero
    /// The number of fetches that run at once.
    public var fetches = 4
    /// The most jobs that may wait; nil for no bound.
    public var queueLimit: Int?
    /// The seed of the costs.
    public var seed: UInt64 = 1
    /// Frames a second.
    public var hz = 60
    /// The time at which the first frame is due.
    public var phase: Duration = .milliseconds(1)
    /// The most loaded rows, what nobody wants and was shown longest ago making room; nil for
    /// all.
    public var memory: Int?
    /// Whether policies are told what each row's load will cost.
    public var hasHints = false
    /// Whether all that happens is kept, for ``Replay/log``.
    public var isLogged = false
    /// Whether the first viewport is loaded before the trace begins.
    public var isWarm = true
    /// The source of a fling's landing.
    public var target = Target.model
    /// The scroller that moves the list.
    public var scroller = Scroller(.chromium)
    /// The way in px of a finger before the list follows, where the trace has only fingers.
    public var slop = 0.0
    /// The time that the loop is left alone after a replay in real time, to see that it sleeps.
    public var quiet: Duration = .milliseconds(500)

    /// The defaults.
    public init() {}
}

extension Duration {
    /// This duration in whole nanoseconds, at most 292 years.
    var nanoseconds: Int64 { wholeNanoseconds }
}

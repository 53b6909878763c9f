public import DeferredLoading
public import LullTesting
internal import PeerPolicies
public import ScrollModel

/// A rule with a name, and a factory of it for a replay.
///
/// ```swift
/// for rule in NamedPolicy.all {
///     let policy = rule.make(for: .init(trace: trace, list: list, options: options))
///     print(rule.name, try Replay(of: trace, in: list, policy: policy).run().figures.blank)
/// }
/// ```
public struct NamedPolicy: Sendable {
    /// The replay for which a rule is created; only the oracle uses it.
    public struct Context {
        /// The trace that will be played.
        public var trace: Trace
        /// The list, and its position unless the trace contains it.
        public var list: Viewport
        /// The replay's options.
        public var options: ReplayOptions
        /// The work of loading a row, if the replay has one.
        public var work: (any RowWork)?

        /// Creates a context from the parts of a replay.
        public init(
            trace: Trace, list: Viewport, options: ReplayOptions, work: (any RowWork)? = nil
        ) {
            self.trace = trace
            self.list = list
            self.options = options
            self.work = work
        }
    }

    /// The name on the command line and in figures.
    public let name: String
    /// The rule in one line.
    public let summary: String
    private let factory: @Sendable (Context) -> any LoadingPolicy

    /// Creates a rule that needs no knowledge of the replay.
    init(
        _ name: String, _ summary: String,
        _ policy: @autoclosure @escaping @Sendable () -> any LoadingPolicy
    ) {
        self.name = name
        self.summary = summary
        factory = { _ in policy() }
    }

    /// Creates a rule that knows the replay beforehand.
    init(
        _ name: String, _ summary: String,
        knowing factory: @escaping @Sendable (Context) -> any LoadingPolicy
    ) {
        self.name = name
        self.summary = summary
        self.factory = factory
    }

    /// Returns a new policy that follows the rule.
    public func make(for context: Context) -> any LoadingPolicy { factory(context) }

    /// Returns the rule of a name; nil if there is none.
    public static func named(_ name: String) -> NamedPolicy? {
        all.first { $0.name == name }
    }
}

extension NamedPolicy: Hashable {
    /// Returns whether two rules have the same name.
    public static func == (lhs: NamedPolicy, rhs: NamedPolicy) -> Bool { lhs.name == rhs.name }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// The list of all rules.
extension NamedPolicy {
    /// All rules: this package's own first, then those of others by number.
    public static let all: [NamedPolicy] = own + simple + peers + [oracle]

    /// This package's own rules.
    public static let own: [NamedPolicy] = [
        .init(
            "within3", "in a fling that goes far, only the rows around where it rests",
            .within(rows: 3)),
        .init(
            "value", "what gains the most time in view for its cost, before it is too late",
            .value),
    ]

    /// Simple rules; two of them, and `lifo`, are bounds for others.
    public static let simple: [NamedPolicy] = [
        .init("visible", "what is on screen, first come first", .visible),
        .init("lifo", "what is on screen, last come first", LatestFirst()),
        .init("everything", "what is on screen, then all within two screens", .everything),
    ]

    /// Rules of other systems: those that people know, and those that leave less blank than others in
    /// some setting or for some gesture.
    public static let peers: [NamedPolicy] = [
        .init("p1-approach", "VVebo: a gate on flings, margin where it comes from", VVebo()),
        .init("p1-ahead", "VVebo, margin where it moves towards", VVebo(margin: .ahead)),
        .init("p1-both", "VVebo, margin on both sides", VVebo(margin: .both)),
        .init("p2", "DWURunLoopWorkDistribution: a unit each 100 ms at rest", RunLoopUnits()),
        .init("p5", "RecyclerView: one row ahead if the frame has time", GapWorker()),
        .init("p6", "Glide: ten rows ahead", GlidePreloader()),
        .init("p7", "UIKit: a screen ahead", UIKitPrefetch()),
        .init("p8", "FlashList: 500 px around where the list will be", FlashListBuffer()),
        .init("p11", "Chromium: tiles now, soon, eventually", ChromiumTiles()),
        .init("p21", "Chromium: lazy images, within 1250 px, never cancelled", LazyImages()),
    ]

    /// The oracle, the bound with which all other rules are compared.
    public static let oracle = NamedPolicy(
        "oracle", "knows the trace and all costs: the floor",
        knowing: {
            Oracle(of: $0.trace, in: $0.list, options: $0.options, work: $0.work)
        })
}

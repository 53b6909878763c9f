public import DeferredLoading
public import ScrollModel

/// A rule by its name, and how a replay gets one.
///
/// ```swift
/// for rule in NamedPolicy.all {
///     let policy = rule.make(for: .init(trace: trace, list: list, options: options))
///     print(rule.name, try Replay(of: trace, in: list, policy: policy).run().figures.blank)
/// }
/// ```
///
/// The list of all there are is in `NamedPolicy+All.swift`.
public struct NamedPolicy: Sendable {
    /// The facts that a rule may need to be made; only one that sees the future looks at them.
    public struct Context {
        /// The trace that will be played.
        public var trace: Trace
        /// The list, and where it stands if the trace doesn't say.
        public var list: Viewport
        /// The replay's options.
        public var options: ReplayOptions
        /// The work of loading a row, if the replay is given that.
        public var work: (any RowWork)?

        /// The parts of a replay.
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
    /// The rule in a line.
    public let summary: String
    private let factory: @Sendable (Context) -> any LoadingPolicy

    /// A rule that needs to know nothing beforehand.
    init(
        _ name: String, _ summary: String,
        _ policy: @autoclosure @escaping @Sendable () -> any LoadingPolicy
    ) {
        self.name = name
        self.summary = summary
        factory = { _ in policy() }
    }

    /// A rule that knows what will come.
    init(
        _ name: String, _ summary: String,
        knowing factory: @escaping @Sendable (Context) -> any LoadingPolicy
    ) {
        self.name = name
        self.summary = summary
        self.factory = factory
    }

    /// A new policy that follows the rule.
    public func make(for context: Context) -> any LoadingPolicy { factory(context) }

    /// The rule of a name; nil if there's none.
    public static func named(_ name: String) -> NamedPolicy? {
        let name = aliases[name] ?? name
        return all.first { $0.name == name }
    }
}

extension NamedPolicy: Hashable {
    /// Rules are told apart by their names.
    public static func == (lhs: NamedPolicy, rhs: NamedPolicy) -> Bool { lhs.name == rhs.name }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

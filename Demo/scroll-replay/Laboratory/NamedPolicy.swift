public import DeferredLoading
public import LullTesting
public import ScrollModel

/// A rule with a name, and a factory of it for a replay.
///
/// ```swift
/// for rule in NamedPolicy.all {
///     let policy = rule.make(for: .init(trace: trace, list: list, options: options))
///     print(rule.name, try Replay(of: trace, in: list, policy: policy).run().figures.blank)
/// }
/// ```
///
/// `NamedPolicy+All.swift` lists all rules.
public struct NamedPolicy: Sendable {
    /// The replay for which a rule is created; only oracles use it.
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
        let name = aliases[name] ?? name
        return all.first { $0.name == name }
    }
}

extension NamedPolicy: Hashable {
    /// Returns whether two rules have the same name.
    public static func == (lhs: NamedPolicy, rhs: NamedPolicy) -> Bool { lhs.name == rhs.name }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

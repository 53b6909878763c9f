/// What a list that hangs on the loop is doing: a loop is in one mode at a time, and observers and
/// queues say in which they run.
///
/// A queue that isn't to disturb a finger runs in `.default` only, and rests while the loop is in
/// `.tracking`:
///
/// ```swift
/// var configuration = QueueConfiguration()
/// configuration.modes = .default
/// loop.mode = .tracking  // the finger is down
/// ```
///
/// CFRunLoop's modes are other: there each run is in a mode, and whatever isn't in it, timers and
/// sources too, stays unheard. Here the mode is set at any time, holds until it's set again, and
/// only holds back observers and queues: timers, watches and posts come in every mode. `all` is
/// what `common` is there, and is what they run in unless something else is said.
public struct LoopMode: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// A set of these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Nothing moves.
    public static let `default` = LoopMode(rawValue: 1)
    /// A finger is down, or the list moves.
    public static let tracking = LoopMode(rawValue: 2)
    /// Whatever the loop's mode is.
    public static let all: LoopMode = [.default, .tracking]
}

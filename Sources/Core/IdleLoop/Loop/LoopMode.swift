/// The mode of a loop: it is in one mode at a time, and observers and queues state the modes in
/// which they run.
///
/// A queue that must not disturb touch tracking runs in `.default` only, and rests while the loop
/// is in `.tracking`:
///
/// ```swift
/// var configuration = QueueConfiguration()
/// configuration.modes = .default
/// loop.mode = .tracking  // the finger is down
/// ```
///
/// These modes differ from CFRunLoop's. There, each run is in a mode, and nothing outside that mode
/// is handled, timers and sources included. Here, the mode is set at any time, holds until it's set
/// again, and only affects observers and queues: timers, watches and posts are handled in every
/// mode. `all` corresponds to `common` there, and is the default.
public struct LoopMode: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Creates a set of these bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The mode in which nothing moves.
    public static let `default` = LoopMode(rawValue: 1)
    /// The mode while a finger is down, or content moves.
    public static let tracking = LoopMode(rawValue: 2)
    /// All modes.
    public static let all: LoopMode = [.default, .tracking]
}

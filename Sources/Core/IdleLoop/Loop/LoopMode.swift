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
public enum LoopMode: Sendable {
    /// The mode in which nothing moves.
    case `default`
    /// The mode while a finger is down, or content moves.
    case tracking
    /// All modes, for what runs in each; a loop is in one of the others.
    case all

    /// Returns whether what runs in these modes runs in that of a loop.
    func contains(_ mode: LoopMode) -> Bool { self == mode || self == .all }
}

/// Where thumbnails are made.
public enum Making: String, CaseIterable, Sendable {
    /// In the lulls of the loop, those that matter, the most urgent first.
    case lulls
    /// Where they're asked for, while everybody else waits: to compare with.
    case handler
    /// By two threads, in the order in which they're asked for: to compare with.
    case threads
}

public import IdleLoop
internal import LullLibC

/// A bounded cache of the files that gave no picture, so that they aren't retried again and again.
///
/// ```swift
/// if let error = failures.error(of: path, stamp, at: now) { throw error }
/// ```
///
/// A failure is valid for one state of a file: when the file changes, or the backoff has ended, the
/// file may be retried. The backoff doubles with each failure in a row. It starts at one second for
/// transient errors, such as a lack of descriptors, and at one minute for errors that are the
/// file's own fault. When the cache is full, the oldest failure is removed first. All operations
/// are O(1), expected.
public struct FailureCache {
    private struct Failure {
        let error: PictureError
        let stamp: FileStamp?
        let count: Int
        let expiry: Instant
    }

    /// The first and the longest backoff after failures.
    public struct Times: Equatable, Sendable {
        /// The backoff after the first failure.
        public let first: Duration
        /// The longest backoff, after any number of failures.
        public let longest: Duration

        /// Creates backoff times, of which the first isn't longer than the longest.
        ///
        /// Traps if the times aren't more than zero, or don't grow.
        public init(first: Duration, longest: Duration) {
            precondition(.zero < first && first <= longest, "times grow")
            self.first = first
            self.longest = longest
        }

        package func after(_ failures: Int) -> Duration {
            var time = first
            for _ in 1..<max(1, min(failures, 64)) where time < longest {
                time *= 2
            }
            return min(time, longest)
        }
    }

    /// The maximum number of files that are remembered.
    public let capacity: Int
    /// The backoff after transient errors.
    public var transient = Times(first: .seconds(1), longest: .seconds(60))
    /// The backoff after errors that are the file's own fault.
    public var permanent = Times(first: .seconds(60), longest: .seconds(3600))
    private var failures = LRUTable<String, Failure>()

    /// Creates a cache of up to `capacity` files.
    ///
    /// Traps if the capacity is less than one.
    public init(capacity: Int = 1024) {
        precondition(capacity > 0, "a memory has room for one failure")
        self.capacity = capacity
    }

    /// The number of files that are remembered.
    public var count: Int { failures.count }

    /// Returns whether a failure of a file is remembered, whatever the file's state.
    func remembers(_ file: String) -> Bool { failures[file] != nil }

    /// Returns the error for which a file in this state isn't retried at this time; nil if it may
    /// be.
    public mutating func error(
        of file: String, _ stamp: FileStamp?, at now: Instant
    ) -> PictureError? {
        guard let failure = failures[file] else { return nil }
        guard failure.stamp == stamp else {
            failures.remove(file)
            return nil
        }
        return now < failure.expiry ? failure.error : nil
    }

    /// Returns the time until a file may be retried; nil if no failure is remembered.
    public func wait(for file: String, at now: Instant) -> Duration? {
        failures[file].map { max(.zero, now.duration(to: $0.expiry)) }
    }

    /// Returns the state of a file when it failed; nil if no failure is remembered, or the file was
    /// missing.
    public func stamp(of file: String) -> FileStamp? { failures[file]?.stamp }

    /// Records a further failure of a file in this state.
    public mutating func record(
        _ error: PictureError, of file: String, _ stamp: FileStamp?, at now: Instant
    ) {
        let last = failures[file].flatMap { $0.stamp == stamp ? $0.count : nil } ?? 0
        let times = error.reason.isTransient ? transient : permanent
        let failure = Failure(
            error: error, stamp: stamp, count: last + 1,
            expiry: now.advanced(by: times.after(last + 1)))
        failures.insert(failure, for: file)
        if failures.count > capacity { failures.removeOldest() }
    }

    /// Forgets the failures of a file, because it gave a picture or is requested again.
    public mutating func forget(_ file: String) {
        failures.remove(file)
    }
}

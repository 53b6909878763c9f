internal import IdleLoop
internal import LullLibC

/// A bounded cache of the files that gave no picture, so that they aren't retried again and again.
///
/// A failure is valid for one state of a file: when the file changes, or the backoff has ended, the
/// file may be retried. The backoff doubles with each failure in a row. It starts at one second for
/// transient errors, such as a lack of descriptors, and at one minute for errors that are the
/// file's own fault. When the cache is full, the oldest failure is removed first. All operations
/// are O(1), expected.
struct FailureCache {
    private struct Failure {
        let error: PictureError
        let stamp: FileStamp?
        let count: Int
        let expiry: Instant
    }

    /// The backoff after transient errors.
    private static let transient: ClosedRange<Duration> = .seconds(1) ... .seconds(60)
    /// The backoff after errors that are the file's own fault.
    private let permanent: ClosedRange<Duration>
    private var failures: LRUTable<String, Failure>

    /// Creates a cache of up to `capacity` files, which are retried although they haven't changed, if
    /// `forgets` is true, when the backoff has ended.
    init(capacity: Int, forgets: Bool = true) {
        permanent =
            forgets ? .seconds(60) ... .seconds(3600) : .seconds(1 << 32) ... .seconds(1 << 32)
        failures = LRUTable(capacity: capacity)
    }

    /// The number of files that are remembered.
    var count: Int { failures.count }

    /// Returns whether a failure of a file is remembered, whatever the file's state.
    func remembers(_ file: String) -> Bool { failures[file] != nil }

    /// Returns the error for which a file in this state isn't retried at this time; nil if it may
    /// be.
    mutating func error(
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
    func wait(for file: String, at now: Instant) -> Duration? {
        failures[file].map { max(.zero, now.duration(to: $0.expiry)) }
    }

    /// Returns the state of a file when it failed; nil if no failure is remembered, or the file was
    /// missing.
    func stamp(of file: String) -> FileStamp? { failures[file]?.stamp }

    /// Records a further failure of a file in this state.
    mutating func record(
        _ error: PictureError, of file: String, _ stamp: FileStamp?, at now: Instant
    ) {
        let last = failures[file].flatMap { $0.stamp == stamp ? $0.count : nil } ?? 0
        let backoff = error.reason.isTransient ? Self.transient : permanent
        let failure = Failure(
            error: error, stamp: stamp, count: last + 1,
            expiry: now.advanced(by: backoff.time(afterFailures: last + 1)))
        failures.insert(failure, for: file)
    }

    /// Forgets a failure that isn't of one state of a file, or that may pass.
    mutating func forgive(_ name: String) {
        guard let failure = failures[name] else { return }
        if failure.stamp == nil || failure.error.reason.isTransient { forget(name) }
    }

    /// Forgets the failures of a file, because it gave a picture.
    mutating func forget(_ file: String) {
        failures.remove(file)
    }
}

extension ClosedRange<Duration> {
    /// Returns the backoff after failures in a row: from the lower bound, doubled by each failure, to
    /// the upper bound.
    package func time(afterFailures failures: Int) -> Duration {
        var time = lowerBound
        for _ in 1..<Swift.max(1, failures) where time < upperBound { time *= 2 }
        return Swift.min(time, upperBound)
    }
}

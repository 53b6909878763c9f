internal import DeferredLoading
internal import IdleLoop

/// A bounded cache of the files that gave no picture by their own fault, so that they aren't retried
/// again and again.
///
/// A failure is valid for one state of a file: when the file changes, or the backoff has ended, the
/// file may be retried. The backoff is a minute, doubled with each failure in a row, an hour at most.
/// When the cache is full, the oldest failure is removed first. All operations are O(1), expected.
struct FailureCache {
    private struct Failure {
        let error: PictureError
        let stamp: FileStamp?
        let count: Int
        let time: Instant
    }

    /// The backoff; nil if a file isn't retried before it changes.
    private let backoff: Backoff?
    private var failures: LRUTable<String, Failure>

    /// Creates a cache of up to `capacity` files, which are retried although they haven't changed, if
    /// `forgets` is true, when the backoff has ended.
    init(capacity: Int, forgets: Bool = true) {
        backoff = forgets ? Backoff(first: .seconds(60), longest: .seconds(3600)) : nil
        failures = LRUTable(capacity: capacity)
    }

    /// The number of files that are remembered.
    var count: Int { failures.count }

    /// Returns the error for which a file in this state, which is read only if there is one, isn't
    /// retried at this time.
    mutating func error(
        of file: String, _ stamp: @autoclosure () -> FileStamp?, at now: Instant
    ) -> PictureError? {
        guard let failure = failures[file] else { return nil }
        guard failure.stamp == stamp() else {
            failures.remove(file)
            return nil
        }
        let wait = backoff?.bound(afterFailures: failure.count)
        return wait.map { failure.time.duration(to: now) < $0 } ?? true ? failure.error : nil
    }

    /// Returns the state of a file when it failed; nil if it was missing, or hasn't failed.
    func stamp(of file: String) -> FileStamp? { failures[file]?.stamp }

    /// Records a further failure of a file in this state.
    mutating func record(
        _ error: PictureError, of file: String, _ stamp: FileStamp?, at now: Instant
    ) {
        let last = failures[file].flatMap { $0.stamp == stamp ? $0.count : nil } ?? 0
        failures.insert(
            Failure(error: error, stamp: stamp, count: last + 1, time: now), for: file)
    }

    /// Forgets the failures of a file, because it gave a picture.
    mutating func forget(_ file: String) { failures.remove(file) }
}

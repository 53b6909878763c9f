public import IdleLoop

/// Remembers for a while which files gave no picture, so that nobody tries them again and again.
///
/// ```swift
/// if let error = failures.error(of: path, stamp, at: now) { throw error }
/// ```
///
/// A failure counts for one state of a file: when the file changes, or its time is over, the file is
/// worth another try. Each failure in a row doubles that time: it begins with a second for what may
/// pass, as a want of descriptors does, and with a minute for what is the file's own fault. What
/// failed longest ago is forgotten first. All is O(1), expected.
public struct FailureMemory {
    private struct Failure {
        let error: PictureError
        let stamp: FileStamp?
        let count: Int
        let expiry: Instant
    }

    /// The times that a first failure counts, and that one ever does at most.
    public struct Times: Equatable, Sendable {
        /// After the first failure.
        public let first: Duration
        /// After however many.
        public let longest: Duration

        /// Two times, the first one not longer than the other.
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

    /// The most files that are remembered.
    public let capacity: Int
    /// The times that a failure counts whose reason may pass.
    public var passing = Times(first: .seconds(1), longest: .seconds(60))
    /// The times that a failure counts whose reason is the file's own.
    public var lasting = Times(first: .seconds(60), longest: .seconds(3600))
    private var failures = RecencyTable<String, Failure>()

    /// A memory of so many files.
    public init(capacity: Int = 1024) {
        precondition(capacity > 0, "a memory has room for one failure")
        self.capacity = capacity
    }

    /// The number of files that are remembered now.
    public var count: Int { failures.count }

    /// Returns whether a file has failed, whatever its state was.
    func remembers(_ file: String) -> Bool { failures[file] != nil }

    /// Returns why a file in this state isn't worth a try at this moment; nil if it is.
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

    /// Returns the time until a file is worth a try again; nil if it never failed.
    public func wait(for file: String, at now: Instant) -> Duration? {
        failures[file].map { max(.zero, now.duration(to: $0.expiry)) }
    }

    /// Returns the state that a file had when it failed; nil if it never did, or wasn't there.
    public func stamp(of file: String) -> FileStamp? { failures[file]?.stamp }

    /// Notes that a file in this state has failed once more.
    public mutating func note(
        _ error: PictureError, of file: String, _ stamp: FileStamp?, at now: Instant
    ) {
        let last = failures[file].flatMap { $0.stamp == stamp ? $0.count : nil } ?? 0
        let times = error.reason.mayPass ? passing : lasting
        let failure = Failure(
            error: error, stamp: stamp, count: last + 1,
            expiry: now.advanced(by: times.after(last + 1)))
        failures.insert(failure, for: file)
        if failures.count > capacity { failures.removeOldest() }
    }

    /// Forgets a file's failures: it gave a picture, or somebody asks for it anew.
    public mutating func forget(_ file: String) {
        failures.remove(file)
    }
}

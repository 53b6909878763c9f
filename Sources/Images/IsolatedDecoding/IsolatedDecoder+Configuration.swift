internal import LullLibC
internal import IdleLoop
internal import ImageLoading

extension IsolatedDecoder {
    /// The limits of an isolated decoder's helpers.
    public struct Configuration: Equatable, Sendable {
        /// The helper's program: its path, or its name if it's in the directory of the running
        /// program; nil for `lull-picture-helper` there.
        public var program: String?
        /// The maximum number of helpers, each of which decodes one picture at a time; by default, the
        /// number of processors that this process may use, by its affinity and quotas.
        public var helpers = Processors.usable
        /// The maximum number of pictures that wait for a helper.
        public var waiting = 256
        /// The bytes of memory that a helper may use for a picture: the file, the decoder's memory,
        /// and the result.
        ///
        /// The result is copied into a file in memory, which has at most the same size again. It
        /// stays there until the helper has another picture or exits: in total never more than
        /// `helpers` times `memory`.
        public var memory = 512 << 20
        /// The time after which a helper that hasn't replied to a request is killed.
        ///
        /// A helper is also killed if it uses a quarter of a second of processor time more than the
        /// picture's limits allow, measured by the kernel, or that much while it's idle.
        public var deadline = Duration.seconds(5)
        /// The time after which a helper that hasn't become ready is killed.
        public var startDeadline = Duration.seconds(10)
        /// The time for which a helper may continue with a cancelled picture before it is killed:
        /// about the time that another helper needs to become ready.
        public var cancellationGrace = Duration.milliseconds(50)
        /// The time after which an idle helper is killed.
        public var idleTime = Duration.seconds(30)
        /// The number of pictures that a helper decodes before it is replaced.
        ///
        /// A picture that takes control of a helper can read the picture before it and those after
        /// it, include them in its own, and change the pixels of those after it; it can do nothing
        /// else. The value 1 isolates pictures completely, at the cost of a process start for each.
        public var picturesPerHelper = 1000
        /// The times for which no helper is started after one failed to become ready: after the
        /// first failure, and the longest, to which they double.
        public var backoff: ClosedRange<Duration> = .milliseconds(100) ... .seconds(30)

        /// Creates a configuration with a helper for each processor, and limits for untrusted pictures.
        public init() {}

        /// The path of the program.
        var path: String {
            let name = program ?? "lull-picture-helper"
            if name.contains("/") { return name }
            let own = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { room in
                let count = unsafe readlink("/proc/self/exe", room.baseAddress!, room.count)
                let bytes = unsafe room.prefix(max(0, count)).map { UInt8(truncatingIfNeeded: $0) }
                return String(decoding: bytes, as: UTF8.self)
            }
            return own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
                .joined(separator: "/") + "/" + name
        }

        func check() {
            precondition(helpers > 0, "an isolated decoder has at least one helper")
            precondition(waiting > 0, "at least one picture can wait for a helper")
            precondition(memory > 0, "a helper may take some memory")
            precondition(picturesPerHelper > 0, "a helper decodes at least one picture")
            let times = [
                deadline, startDeadline, cancellationGrace, idleTime, backoff.lowerBound,
            ]
            precondition(times.allSatisfy { $0 >= .zero }, "a helper's times aren't negative")
        }
    }
}

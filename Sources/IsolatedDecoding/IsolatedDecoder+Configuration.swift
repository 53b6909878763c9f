import Glibc

extension IsolatedDecoder {
    /// How an isolated decoder works, and what its helpers may cost.
    public struct Configuration: Equatable, Sendable {
        /// The helper's program: its path, or its name if it is in the folder of the running program;
        /// nil for `picture-helper` there.
        public var program: String?
        /// How many helpers there are at most; each decodes one picture at a time.
        public var helpers = 1
        /// How many pictures may wait for a helper.
        public var waiting = 256
        /// The bytes that a helper may take for a picture: the file, what decoding it needs, and the
        /// result.
        public var memory = 512 << 20
        /// How long a helper may be silent while it has a picture, before it is ended.
        public var deadline = Duration.seconds(5)
        /// How long a helper may take to get ready.
        public var startDeadline = Duration.seconds(10)
        /// How long a helper may go on with a picture that nobody wants any more, before it is
        /// ended: about as long as another one takes to get ready.
        public var patience = Duration.milliseconds(50)
        /// How long a helper without work is kept.
        public var idleTime = Duration.seconds(30)
        /// How many pictures a helper decodes before another takes its place.
        ///
        /// A picture that takes a helper over can change the pixels of those after it, and can do
        /// nothing else; 1 keeps pictures entirely apart, at the cost of a start for each.
        public var picturesPerHelper = 1000
        /// How long no helper is started after one didn't get ready; twice as long each time more.
        public var firstBackoff = Duration.milliseconds(100)
        /// The longest such time.
        public var longestBackoff = Duration.seconds(30)

        /// One helper, with limits for pictures from strangers.
        public init() {}

        /// Where the program is.
        var path: String {
            let name = program ?? "picture-helper"
            if name.contains("/") { return name }
            let own = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { room in
                let count = unsafe readlink("/proc/self/exe", room.baseAddress!, room.count)
                let bytes = unsafe room.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
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
            let times = [deadline, startDeadline, patience, idleTime]
            precondition(times.allSatisfy { $0 >= .zero }, "a helper's times aren't negative")
            precondition(
                .zero < firstBackoff && firstBackoff <= longestBackoff,
                "a backoff is longer than zero, and the first one not the longest")
        }

        /// How long no helper is started after so many failures to start one.
        func backoff(afterFailures failures: Int) -> Duration {
            var time = firstBackoff
            for _ in 1..<max(1, failures) where time < longestBackoff { time *= 2 }
            return min(time, longestBackoff)
        }
    }
}

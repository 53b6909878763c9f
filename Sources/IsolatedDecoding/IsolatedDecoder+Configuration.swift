internal import Glibc
public import ImageLoading

extension IsolatedDecoder {
    /// The limits of an isolated decoder's helpers.
    public struct Configuration: Equatable, Sendable {
        /// The helper's program: its path, or its name if it is in the folder of the running program;
        /// nil for `picture-helper` there.
        public var program: String?
        /// The most helpers; each decodes one picture at a time.
        public var helpers = 1
        /// The most pictures that wait for a helper.
        public var waiting = 256
        /// The bytes that a helper may take for a picture: the file, what decoding it needs, and the
        /// result.
        ///
        /// The result is copied into a file in memory, which has at most as many bytes again. The last
        /// picture's stay there until the helper has another or ends: in all never more than `helpers`
        /// times `memory`.
        public var memory = 512 << 20
        /// The time that a helper may be silent while it has a picture, before it is ended.
        ///
        /// One that has used a quarter of a second of processor time more than the picture's limits
        /// grant, by the system's count, is ended, and so is one that uses that much without a picture.
        public var deadline = Duration.seconds(5)
        /// The time that a helper may take to get ready.
        public var startDeadline = Duration.seconds(10)
        /// The time that a helper may go on with a picture that nobody wants any more, before it is
        /// ended: about as long as another one takes to get ready.
        public var patience = Duration.milliseconds(50)
        /// The time that a helper without work is kept.
        public var idleTime = Duration.seconds(30)
        /// The number of pictures that a helper decodes before another takes its place.
        ///
        /// A picture that takes a helper over can see the picture before it and those after it, show
        /// them in its own, and change the pixels of those after it; it can do nothing else. 1 keeps
        /// pictures entirely apart, at the cost of a start for each.
        public var picturesPerHelper = 1000
        /// The times for which no helper is started after one didn't get ready.
        public var backoff = FailureMemory.Times(first: .milliseconds(100), longest: .seconds(30))

        /// One helper, with limits for pictures from strangers.
        public init() {}

        /// The path of the program.
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
        }
    }
}

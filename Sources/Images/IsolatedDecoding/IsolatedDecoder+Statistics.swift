import IdleLoop

extension IsolatedDecoder {
    /// The counts of an isolated decoder so far.
    public struct Statistics: Equatable, Sendable {
        /// The number of helpers that were started.
        public internal(set) var started = 0
        /// The number of helpers that failed to become ready, or couldn't be sent a picture when
        /// they were.
        public internal(set) var startFailures = 0
        /// The number of pictures that were decoded.
        public private(set) var pictures = 0
        /// The number of files that couldn't be decoded, or took too long.
        public internal(set) var refused = 0
        /// The number of helpers that hung while they decoded a picture.
        public private(set) var hung = 0
        /// The number of helpers that exited while they decoded a picture.
        public private(set) var died = 0
        /// The number of helpers that sent an invalid reply.
        public private(set) var invalidReplies = 0
        /// The number of helpers that were killed because their request was cancelled.
        public private(set) var abandoned = 0
        /// The processor time of all pictures, measured by the kernel with the resolution of its
        /// ticks.
        public private(set) var cpu = Duration.zero

        mutating func count(_ event: Helper.Event) {
            switch event {
            case .answered(_, let result, let cpu):
                self.cpu += cpu
                switch result {
                case .success: pictures += 1
                case .failure(.picture): refused += 1
                case .failure: break
                }
            case .failed(.invalidReply, _): invalidReplies += 1
            case .failed(.silent, in: .busy): hung += 1
            case .failed(.silent, in: .abandoned): abandoned += 1
            case .failed(.ended, in: .busy): died += 1
            case .ready, .freed, .failed: break
            }
        }
    }
}

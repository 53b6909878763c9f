import IdleLoop

extension IsolatedDecoder {
    /// The counts of an isolated decoder so far.
    public struct Statistics: Equatable, Sendable {
        /// Helpers that were started.
        public internal(set) var started = 0
        /// Helpers that didn't get ready, or could be sent no picture when they were.
        public internal(set) var startFailures = 0
        /// Pictures that were decoded.
        public private(set) var pictures = 0
        /// Files with which something was wrong, or which took too long.
        public internal(set) var refused = 0
        /// Helpers that hung over a picture.
        public private(set) var hung = 0
        /// Helpers that ended over a picture.
        public private(set) var died = 0
        /// Helpers that said what no helper says.
        public private(set) var lied = 0
        /// Helpers that were ended since nobody wanted their picture any more.
        public private(set) var abandoned = 0
        /// The processor time of all pictures, by the system's count, which goes by ticks.
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
            case .failed(.lied, _): lied += 1
            case .failed(.silent, in: .busy): hung += 1
            case .failed(.silent, in: .abandoned): abandoned += 1
            case .failed(.ended, in: .busy): died += 1
            case .ready, .freed, .failed: break
            }
        }
    }
}

extension IsolatedDecoder {
    /// What an isolated decoder has done so far.
    public struct Statistics: Equatable, Sendable {
        /// Helpers that were started.
        public internal(set) var started = 0
        /// Helpers that didn't get ready.
        public internal(set) var startFailures = 0
        /// Pictures that were decoded.
        public internal(set) var pictures = 0
        /// Files with which something was wrong, or which took too long.
        public internal(set) var refused = 0
        /// Helpers that hung over a picture.
        public internal(set) var hung = 0
        /// Helpers that ended over a picture.
        public internal(set) var died = 0
        /// Helpers that said what no helper says.
        public internal(set) var lied = 0
        /// Helpers that were ended since nobody wanted their picture any more.
        public internal(set) var abandoned = 0
        /// The processor time of all pictures, as helpers tell it.
        public internal(set) var cpu = Duration.zero
    }
}

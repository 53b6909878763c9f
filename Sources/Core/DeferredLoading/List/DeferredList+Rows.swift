package import IdleLoop
internal import ScrollModel

extension DeferredList {
    /// The counts of what a list has shown.
    public struct Statistics: Equatable, Sendable {
        /// Rows that came into view and have a key.
        public var entered = 0
        /// Rows among `entered` whose values were loaded by then.
        public var ready = 0
        /// Rows whose values were loaded while they were in view.
        public var loaded = 0
        /// The number of failures of rows in view.
        public var failed = 0
        /// The events, offsets, heights and times that were ignored, as a whole or in part, since
        /// they make no sense.
        public var ignored = 0
    }

    /// A weak reference to the list for closures that are made before it, and its `key` function
    /// while it is open.
    final class Link {
        weak var owner: DeferredList?
        var key: (Int) -> Key?

        init(_ key: @escaping (Int) -> Key?) {
            self.key = key
        }
    }

    /// The keys that are wanted now, as the rule has returned them.
    package var wanted: [Wanted<Key>] { list.wanted }

    /// Returns the key of a row; nil if there is nothing to load for it.
    package func key(ofRow row: Int) -> Key? { link.key(row) }

    /// Returns the state of a row's load; a placeholder for one that has no key.
    public func state(ofRow row: Int) -> LoadState<Value> {
        guard let key = link.key(row) else { return .placeholder }
        return loader.state(of: key)
    }

    /// Returns in one line why a row is wanted or isn't; nil if there is no explanation.
    public func explanation(ofRow row: Int) -> String? { rule.explanation(ofRow: row) }

    /// Retries a row that has failed.
    public func retry(row: Int) {
        if let key = link.key(row) { loader.retry(key) }
    }

    /// Reloads a row's value because the content of its key has changed.
    public func invalidate(row: Int) {
        guard let key = link.key(row) else { return }
        loader.invalidate(key)
        loader.call { [weak self] in self?.display.refresh(key) }
    }
}

extension QueueConfiguration {
    /// The configuration of a list's own queue.
    ///
    /// Keys that were wanted further back than the limit have lost their worth, or are offered again.
    package static var list: QueueConfiguration {
        var configuration = QueueConfiguration()
        configuration.limit = 30
        return configuration
    }
}

public import ScrollModel

extension DeferredList {
    /// The counts of what a list has shown.
    public struct Statistics: Equatable, Sendable {
        /// Rows that came into view and have a key; of a list of elements, headers and footers count
        /// as rows here.
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

    /// The keys that are wanted now, as the rule has returned them.
    package var wanted: [Wanted<Key>] { list.wanted }

    /// Returns the key of a row; nil if there is nothing to load for it.
    package func key(ofRow row: Int) -> Key? { link.key(row) }

    /// Returns the state of a row's load; a placeholder for one that has no key.
    public func state(ofRow row: Int) -> LoadState<Value> { state(of: link.key(row)) }

    /// Returns the state of the load of a row, header or footer; a placeholder for one that has no key.
    ///
    /// O(log n). Only a list of elements has keys for headers and footers.
    public func state(of element: ListElement) -> LoadState<Value> {
        state(of: link.key(of: element))
    }

    private func state(of key: Key?) -> LoadState<Value> {
        key.map { loader.state(of: $0) } ?? .placeholder
    }

    /// Returns in one line why a row is wanted or isn't; nil if there is no explanation.
    public func explanation(ofRow row: Int) -> String? { rule.explanation(ofRow: row) }

    /// Retries a row that has failed.
    public func retry(row: Int) { retry(link.key(row)) }

    /// Retries a row, header or footer that has failed; O(log n).
    public func retry(_ element: ListElement) { retry(link.key(of: element)) }

    private func retry(_ key: Key?) {
        if let key { loader.retry(key) }
    }

    /// Reloads a row's value because the content of its key has changed.
    public func invalidate(row: Int) { invalidate(link.key(row)) }

    /// Reloads the value of a row, header or footer because the content of its key has changed;
    /// O(log n).
    public func invalidate(_ element: ListElement) { invalidate(link.key(of: element)) }

    private func invalidate(_ key: Key?) {
        guard let key else { return }
        loader.invalidate(key)
        loader.call { [weak self] in self?.display.refresh(key) }
    }
}

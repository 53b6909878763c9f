internal import IdleLoop

// Cells, and what they are told.
extension DeferredLoader {
    /// A value that has reached a cell.
    public struct Commit {
        /// The cell.
        public let cell: Int
        /// The key that the cell is bound to.
        public let key: Key
        /// The cell's generation, the same as when the value was asked for.
        public let generation: UInt64
        /// The value, or as much of it as there is.
        public let value: Value
        /// Whether it's the value, and nothing better comes.
        public let isFinal: Bool
    }

    /// How far the value of a cell has come.
    public struct Progress {
        /// The cell.
        public let cell: Int
        /// The key that the cell is bound to.
        public let key: Key
        /// The cell's generation.
        public let generation: UInt64
        /// How far its value has come.
        public let state: LoadState<Value>
    }

    /// Told before idle of the cells whose values have come further, each at most once, with how far
    /// they have come by then.
    ///
    /// Never from inside a call of the loader. Nil costs nothing. Values themselves reach cells by
    /// the `commit` callback, and needn't be taken from here.
    public var onProgress: ((Progress) -> Void)? {
        get { main.onProgress }
        set { listen(to: main, newValue) }
    }

    /// Has a cell show a key from now on: its value, or a preview, at once if it's there, else when
    /// it comes.
    ///
    /// Gives the cell a new generation, whatever it showed before.
    @discardableResult
    public func bind(cell: Int, to key: Key) -> UInt64 {
        bind(cell, of: main, to: key)
    }

    /// Has a cell show nothing.
    public func unbind(cell: Int) {
        unbind(cell, of: main)
    }

    /// The key's value, if it's there, as for a cell that shows it and is bound elsewhere at once: what
    /// was shown last goes last.
    ///
    /// For those who hand values on, and show none themselves. O(log n).
    public func showOnce(_ key: Key) -> Value? {
        guard isOpen, let entry = table[key], case .success(let value)? = entry.result else {
            return nil
        }
        entry.lastShown = tick()
        changed(entry)
        return value
    }

    func bind(_ cell: Int, of list: List, to key: Key) -> UInt64 {
        guard isOpen, lists[list.number] != nil else { return 0 }
        return perform {
            unbind(cell, of: list)
            let entry = table.entry(of: key, generation: tick())
            let generation = tick()
            list.bindings[cell] = .init(entry: entry, generation: generation)
            entry.cells.append(CellName(list: list.number, cell: cell))
            if entry.life.place == .crowded { handle(.roomMade, entry) } else { changed(entry) }
            if case .success(let value)? = entry.result {
                show(value, of: entry, in: cell, of: list, isFinal: true)
            } else if let preview = entry.preview {
                show(preview, of: entry, in: cell, of: list, isFinal: false)
            }
            return generation
        }
    }

    func unbind(_ cell: Int, of list: List) {
        guard let binding = list.bindings.removeValue(forKey: cell) else { return }
        perform {
            let entry = binding.entry
            entry.cells.removeAll { $0 == CellName(list: list.number, cell: cell) }
            entry.lastShown = tick()
            changed(entry)
            tidy(entry)
        }
    }

    private func show(
        _ value: Value, of entry: Entry, in cell: Int, of list: List, isFinal: Bool
    ) {
        guard let binding = list.bindings[cell], binding.entry === entry else { return }
        list.commit?(
            Commit(
                cell: cell, key: entry.key, generation: binding.generation, value: value,
                isFinal: isFinal))
    }

    /// Brings a value to all cells that show its key, as long as it's the key's value.
    func show(_ value: Value, of entry: Entry, isFinal: Bool) {
        let (since, preview, generation) = (entry.since, entry.previewNumber, entry.generation)
        for cell in entry.cells {
            guard !entry.isGone, entry.generation == generation,
                isFinal ? entry.since == since : entry.previewNumber == preview,
                entry.life.isSettled == isFinal
            else { return }
            guard let list = lists[cell.list] else { continue }  // a callback has closed it
            show(value, of: entry, in: cell.cell, of: list, isFinal: isFinal)
        }
    }

    // MARK: - Progress

    /// Has a list that is open, and no other, call `body` with its cells' progress.
    func listen(to list: List, _ body: ((Progress) -> Void)?) {
        guard lists[list.number] != nil else { return }
        let last = list.onProgress
        defer { withExtendedLifetime(last) {} }  // which may call back as it goes
        list.onProgress = body
        isListening = lists.values.contains { $0.onProgress != nil }
        guard isListening else { return }
        for entry in table.all where entry.isShown { hasNews(entry) }
    }

    /// Has the cells of an entry told before idle.
    func hasNews(_ entry: Entry) {
        guard !entry.hasNews else { return }
        entry.hasNews = true
        news.append(entry)
        guard newsObserver == nil, !queue.loop.isClosed else { return }
        newsObserver = queue.loop.observe(.beforeIdle, repeats: false) { [weak self] _ in
            self?.tellNews()
        }
    }

    private func tellNews() {
        newsObserver = nil
        perform {
            let entries = news
            news = []
            for entry in entries {
                entry.hasNews = false
                for cell in entry.cells where !entry.isGone {
                    if let list = lists[cell.list] { tellNews(of: entry, to: cell.cell, of: list) }
                }
            }
        }
    }

    private func tellNews(of entry: Entry, to cell: Int, of list: List) {
        let news = news(of: entry)
        guard let onProgress = list.onProgress, let binding = list.bindings[cell],
            binding.entry === entry, binding.told != news
        else { return }
        list.bindings[cell]?.told = news
        onProgress(
            Progress(
                cell: cell, key: entry.key, generation: binding.generation,
                state: state(of: entry)))
    }

    private func news(of entry: Entry) -> LoadNews {
        switch state(of: entry) {
        case .placeholder: .placeholder
        case .queued: .queued
        case .fetching: .fetching
        case .loading(let share): .loading(Int(max(0, min(share ?? 0, 1)) * 16))
        case .refined: .refined(entry.previewNumber)
        case .loaded, .failed: .settled(entry.since)
        }
    }
}

public import IdleLoop
public import ScrollModel

/// A list whose rows are loaded in lulls: all of the way from a scroll event to the row that shows.
///
/// ```swift
/// let list = try DeferredList(on: loop, viewport, source: thumbnails) { row in
///     row  // what names the row's value
/// } show: { row, content in
///     if case .value(let picture) = content { cells[row].show(picture) }
/// }
/// list.touched(.down(y: 700))
/// list.scrolled(to: 1_240)
/// ```
///
/// It is told of touches, offsets, sizes and edits. A tracker measures the motion, a rule says which
/// rows are wanted, and a loader brings their values in lulls of the loop; `show` is called for each
/// row that comes into view, and again when there is more of it. Rows that leave are forgotten, what
/// the queue had no room for is offered again, and what failed for a reason that may pass is tried
/// again. It looks at itself when nothing more is told: an event that ends a fling isn't needed.
///
/// Callbacks may call it, close it or let go of it.
public final class DeferredList<Key: Hashable, Value> {
    /// What there is to show of a row.
    public enum Content {
        /// Nothing yet.
        case placeholder
        /// As much of the value as there is.
        case preview(Value)
        /// The value.
        case value(Value)
        /// Nothing, for this reason; it is tried again then, or never by itself.
        case failure(any Error, nextTry: Instant?)
    }

    /// A key that is in view, and the rows that show it.
    private struct Cell {
        let number: Int
        var rows: [Int]
        /// Whether a failure was shown, and nothing has been tried since.
        var hasFailed = false
    }

    /// What loads the values; other lists may share it.
    public let loader: DeferredLoader<Key, Value>
    private let loop: MainLoop
    private let list: LoadList<Key, Value>
    private let ownsLoader: Bool
    private var facts: any LoadFacts
    private var key: (Int) -> Key?
    private var show: (Int, Content) -> Void
    private var rule: any LoadingPolicy
    private var tracker: ScrollTracker

    private var cells: [Key: Cell] = [:]
    private var freeCells: [Int] = []
    private var visible = 0..<0
    /// Whether rows may have other keys than before.
    private var isStale = true
    /// What has happened and wasn't followed yet: a callback may say more.
    private var moments: [ScrollMoment] = []
    private var isFollowing = false
    private var timer: TimerID?
    /// Whether it wasn't closed.
    public private(set) var isOpen = true

    /// How long after the last event a list that may move is looked at again.
    private static var look: Duration { .milliseconds(160) }
    /// How long a list has rested when the last there is to know of it is known.
    private static var rest: Duration { .milliseconds(3100) }

    /// A list with a loader and a queue of its own, whose rows in view are shown at once.
    ///
    /// - Parameters:
    ///   - loop: the loop in whose lulls values are loaded.
    ///   - viewport: the rows and their heights, and the window on them.
    ///   - source: where values come from.
    ///   - rule: which rows are wanted when.
    ///   - pool: the workers of fetches; two if nothing is said.
    ///   - limits: what is kept, and what is tried again.
    ///   - key: what names the value of a row; nil if there's nothing to load for it.
    ///   - show: called with what there is to show of a row in view.
    /// - Throws: if the process is out of descriptors or threads.
    public convenience init(
        on loop: MainLoop, _ viewport: Viewport, source: any LoadSource<Key, Value>,
        rule: any LoadingPolicy = .value, pool: WorkerPool? = nil,
        limits: LoaderConfiguration = .init(), key: @escaping (_ row: Int) -> Key?,
        show: @escaping (_ row: Int, _ content: Content) -> Void
    ) throws(LoopError) {
        let pool = if let pool { pool } else { try WorkerPool(width: 2, on: loop) }
        let loader = DeferredLoader(
            queue: IdleQueue<Key>(on: loop), pool: pool, source: source, configuration: limits
        ) { _ in }
        self.init(loader, true, "", 1, viewport, rule, key, show)
    }

    /// A list that shares a loader with others: its part of the work is its `weight`.
    ///
    /// The loader's own commits aren't its.
    public convenience init(
        sharing loader: DeferredLoader<Key, Value>, named name: String, weight: Int = 1,
        _ viewport: Viewport, rule: any LoadingPolicy = .value,
        key: @escaping (_ row: Int) -> Key?,
        show: @escaping (_ row: Int, _ content: Content) -> Void
    ) {
        self.init(loader, false, name, weight, viewport, rule, key, show)
    }

    private init(
        _ loader: DeferredLoader<Key, Value>, _ ownsLoader: Bool, _ name: String, _ weight: Int,
        _ viewport: Viewport, _ rule: any LoadingPolicy, _ key: @escaping (Int) -> Key?,
        _ show: @escaping (Int, Content) -> Void
    ) {
        self.loader = loader
        self.ownsLoader = ownsLoader
        self.rule = rule
        self.key = key
        self.show = show
        loop = loader.queue.loop
        tracker = ScrollTracker(viewport)
        facts = loader.facts(key: key)
        let link = Link()
        list = loader.list(named: name, weight: weight) { commit in
            link.owner?.show(
                commit.isFinal ? .value(commit.value) : .preview(commit.value), of: commit.key)
        }
        link.owner = self
        list.onProgress = { [weak self] in self?.note($0.state, of: $0.key) }
        follow(tracker.note(.frame, at: loop.clock.now))
    }

    /// The list of a commit's closure, which is made before it.
    private final class Link { weak var owner: DeferredList? }

    deinit {
        close()
    }

    /// Wants nothing any more, and lets go of its callbacks; nothing is called afterwards.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        if let timer { loop.cancel(timer) }
        timer = nil
        let given = (key, show, cells, facts, rule)
        defer { withExtendedLifetime(given) {} }  // which may call back as it goes
        key = { _ in nil }
        show = { _, _ in }
        facts = NoLoadFacts()
        rule = .visible  // as the rule may hold what it was told
        cells = [:]
        moments = []
        list.close()
        if ownsLoader { loader.close() }
    }

    // MARK: - What happens

    /// The rows and the window on them, as they were told last.
    public var viewport: Viewport { tracker.viewport }
    /// How the list moves.
    public var motion: ScrollMotion { tracker.motion }
    /// Where a fling will rest; nil if none moves the list, or nobody knows.
    public var forecast: FlingForecast? { tracker.forecast }

    /// Takes in a touch, a wheel, a key or a jump; `offset` is where the list is by then, in px, if
    /// that is known.
    public func touched(_ event: ScrollEvent, at time: Instant? = nil, offset: Double? = nil) {
        guard isOpen else { return }
        follow(tracker.note(event, at: time ?? loop.clock.now, offset: offset))
    }

    /// Takes in where the list is, in px, at a frame that began at `time`.
    public func scrolled(to offset: Double, at time: Instant? = nil) {
        touched(.frame, at: time, offset: offset)
    }

    /// Gives the window another height, in px.
    ///
    /// - Precondition: finite, and not negative.
    public func resized(to height: Double) {
        guard isOpen else { return }
        tracker.resize(to: height)
        follow(tracker.note(.frame, at: loop.clock.now))
    }

    /// Has rows come, go, move and change, and asks for the keys of those in view anew.
    public func change(_ body: (inout Viewport) throws -> Void) rethrows {
        guard isOpen else { return }
        let moment = try tracker.change(at: loop.clock.now, body)
        isStale = true
        follow(moment)
        if isOpen { follow(tracker.note(.frame, at: loop.clock.now)) }
    }

    /// Follows what has happened: rows in view, what is wanted, and when to look again.
    private func follow(_ moment: ScrollMoment) {
        moments.append(moment)
        guard !isFollowing else { return }
        isFollowing = true
        while isOpen, !moments.isEmpty {
            let moment = moments.removeFirst()
            bindRows()
            guard isOpen else { break }
            guard moments.isEmpty else {
                rule.note(moment)  // rows may have gone meanwhile: it's asked at the last
                continue
            }
            guard let rows = rule.wanted(after: moment, loads: facts) else { continue }
            list.reconcile(
                with: rows.compactMap { wish in
                    key(wish.key).map { Wanted($0, urgency: wish.urgency, rank: wish.rank) }
                })
        }
        isFollowing = false
        lookLater()
    }

    /// Looks again when frames may be over without anybody's saying so, and once more when the list
    /// has rested for long.
    private func lookLater() {
        if let timer { loop.cancel(timer) }
        timer = nil
        guard isOpen else { return }
        let now = loop.clock.now
        let isMoving =
            tracker.forecast != nil || !motion.hasRested(for: .milliseconds(150), at: now)
        let news = max(tracker.lastEvent ?? now, motion.lastMoved ?? .zero)
        let next = isMoving ? now + Self.look : news + Self.rest
        guard next > now else { return }
        timer = loop.schedule(at: next) { [weak self] in
            guard let self else { return }
            timer = nil
            follow(tracker.noteSilence(at: loop.clock.now))
        }
    }

    // MARK: - What shows

    /// Binds cells to the keys of the rows in view.
    private func bindRows() {
        let rows = viewport.visibleRows
        guard rows != visible || isStale else { return }
        (visible, isStale) = (rows, false)
        var order: [Key] = []
        var places: [Key: [Int]] = [:]
        for row in rows {
            guard let key = key(row) else { continue }
            if places[key]?.append(row) == nil {
                places[key] = [row]
                order.append(key)
            }
        }
        // In an order that is the same in each run.
        let gone = cells.filter { places[$0.key] == nil }.sorted {
            $0.value.number < $1.value.number
        }
        for (key, cell) in gone {
            cells[key] = nil
            freeCells.append(cell.number)
            list.unbind(cell: cell.number)
        }
        for key in order {
            guard isOpen, let rows = places[key] else { return }
            if let cell = cells[key] {
                cells[key]?.rows = rows
                show(content(of: key), in: rows.filter { !cell.rows.contains($0) })
            } else {
                bind(key, to: rows)
            }
        }
    }

    /// Shows what there is of a key, and from now on what comes of it.
    private func bind(_ key: Key, to rows: [Int]) {
        let number = freeCells.popLast() ?? cells.count
        let content = content(of: key)
        cells[key] = Cell(number: number, rows: rows)
        switch content {
        case .value, .preview: break  // which binding shows
        case .failure:
            cells[key]?.hasFailed = true
            show(content, in: rows)
        case .placeholder: show(content, in: rows)
        }
        if isOpen, cells[key]?.number == number { list.bind(cell: number, to: key) }
    }

    /// What there is to show of a key.
    private func content(of key: Key) -> Content {
        switch loader.state(of: key) {
        case .loaded(let value): .value(value)
        case .refined(let value, _): .preview(value)
        case .failed(let error, let next): .failure(error, nextTry: next)
        case .placeholder, .queued, .fetching, .loading: .placeholder
        }
    }

    private func show(_ content: Content, of key: Key) {
        if let rows = cells[key]?.rows { show(content, in: rows) }
    }

    private func show(_ content: Content, in rows: [Int]) {
        for row in rows where isOpen { show(row, content) }
    }

    /// Shows what commits don't tell of: failures.
    private func note(_ state: LoadState<Value>, of key: Key) {
        guard let cell = cells[key] else { return }
        guard case .failed(let error, let next) = state else {
            cells[key]?.hasFailed = false
            return
        }
        guard !cell.hasFailed else { return }
        cells[key]?.hasFailed = true
        show(.failure(error, nextTry: next), in: cell.rows)
    }

    // MARK: - Questions

    /// How far the load of a row has come; a placeholder for one that has no key.
    public func state(ofRow row: Int) -> LoadState<Value> {
        key(row).map { loader.state(of: $0) } ?? .placeholder
    }

    /// Why a row is wanted or isn't, in one line; nil if there's no more to say.
    public func explanation(ofRow row: Int) -> String? { rule.explanation(ofRow: row) }

    /// Tries a row again that has failed.
    public func retry(row: Int) {
        if isOpen, let key = key(row) { loader.retry(key) }
    }

    /// Takes in that what a row's key stands for has changed: it is loaded again.
    public func invalidate(row: Int) {
        guard isOpen, let key = key(row) else { return }
        loader.invalidate(key)
        show(.placeholder, of: key)
    }
}

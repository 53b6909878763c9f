public import IdleLoop
public import ScrollModel

/// A list whose rows are loaded in lulls: all of the way from a scroll event to the row that shows.
///
/// ```swift
/// let list = try DeferredList(on: loop, viewport, source: thumbnails) { row in
///     row  // what names the row's value
/// } show: { row, state in
///     if let picture = state.shown { cells[row].show(picture) }
/// }
/// list.touched(.down(y: 700))
/// list.scrolled(to: 1_240)
/// ```
///
/// It is told of touches, offsets, sizes and edits. A tracker measures the motion, a rule says which
/// rows are wanted, and a loader brings their values in lulls of the loop; `show` is called for each
/// row that comes into view, and again when there is more of it or it has failed. Rows that leave
/// are forgotten, what the queue had no room for is offered again, and what failed for a reason that
/// may pass is tried again. It looks at itself when nothing more is told: an event that ends a fling isn't needed.
///
/// Callbacks may call it, close it or let go of it.
public final class DeferredList<Key: Hashable, Value> {
    typealias Show = (_ row: Int, _ state: LoadState<Value>) -> Void
    /// Gives cells to the rows that are in view now.
    typealias Layout = (_ rows: Range<Int>) -> Void

    /// The counts of what a list has shown so far.
    public struct Statistics: Equatable, Sendable {
        /// Rows that came into view and have a key.
        public var entered = 0
        /// Those of them whose values were there.
        public var ready = 0
        /// Rows whose values came while they were in view.
        public var loaded = 0
        /// The number of failures of rows in view.
        public var failed = 0
    }

    /// The loader of the values; other lists may share it.
    public let loader: DeferredLoader<Key, Value>
    private let loop: MainLoop
    private let list: LoadList<Key, Value>
    private let ownsLoader: Bool
    private var facts: any LoadFacts
    private let link: Link
    private var key: (Int) -> Key? { link.key }
    private var layout: Layout?
    private var show: Show
    private var rule: any LoadingPolicy
    private var tracker: ScrollTracker

    /// The rows in view, by their keys, and these in the order of rows.
    private var rows: [Key: [Int]] = [:]
    private var keys: [Key] = []
    /// The keys that rows in view have and were shown for.
    private var shown: [Int: Key] = [:]
    private var visible = 0..<0
    /// Whether rows may have other keys than before.
    private var isStale = true
    /// The number of edits.
    private var edition = 0
    /// The moments that weren't processed yet: a callback may add more.
    private var moments: [ScrollMoment] = []
    private var isFollowing = false
    private var subscribing: Key?
    /// When it was last looked at as nothing had happened.
    private var looked = Instant.zero
    private var timer: (id: LoopTimer, instant: Instant)?
    /// The streams of ``updates()``.
    private var listeners: [Int: FlowEnd<[Int: LoadState<Value>]>] = [:]
    private var listenerCount = 0
    /// The rule's last answer; nil if rows may have other keys since.
    private var said: [Wanted<Int>]?
    /// The rows of what is wanted, for those who listen to decisions.
    private var wantedRows: [Key: Int] = [:]
    /// Whether it looks at itself when nothing more is told; whoever tells of every frame, also when
    /// nothing moves, as a replay does, needs no timer for that.
    private let looks: Bool
    /// Whether it wasn't closed.
    package private(set) var isOpen = true
    /// The counts of what it has shown so far.
    public private(set) var statistics = Statistics()

    /// A list with a loader and a queue of its own, whose rows in view are shown at once.
    ///
    /// - Parameters:
    ///   - loop: the loop in whose lulls values are loaded.
    ///   - viewport: the rows and their heights, and the window on them.
    ///   - source: where values come from.
    ///   - rule: which rows are wanted when.
    ///   - pool: the workers of fetches; two if nothing is said.
    ///   - limits: what is kept, and what is tried again.
    ///   - scroller: what moves the list; found out from its flings if nothing is said.
    ///   - layout: called when other rows come into view, or the same rows may stand for something
    ///     else, before they are shown: here a ``ScrollModel/ReusePool`` is laid out, by the rows' keys
    ///     if rows come and go. A value is kept as long as a row in view has its key.
    ///   - key: what names the value of a row; nil if there's nothing to load for it.
    ///   - show: called with what there is to show of a row in view.
    /// - Throws: if the process is out of descriptors or threads.
    public convenience init(
        on loop: MainLoop, _ viewport: Viewport, source: any LoadSource<Key, Value>,
        rule: any LoadingPolicy = .value, pool: WorkerPool? = nil,
        limits: LoaderConfiguration = .init(), scroller: Scroller? = nil,
        layout: ((_ rows: Range<Int>) -> Void)? = nil, key: @escaping (_ row: Int) -> Key?,
        show: @escaping (_ row: Int, _ state: LoadState<Value>) -> Void
    ) throws(LoopError) {
        let pool = if let pool { pool } else { try WorkerPool(width: 2, on: loop) }
        var waiting = QueueConfiguration()
        waiting.limit = 30  // what was wanted further back has lost its worth, or is offered again
        let queue = IdleQueue<Key>(on: loop, configuration: waiting)
        let loader = DeferredLoader(
            queue: queue, pool: pool, source: source, configuration: limits)
        let tracker = ScrollTracker(viewport, scroller: scroller)
        self.init(loader, true, "", 1, tracker, rule, layout, key, show)
    }

    /// A list that shares a loader with others: its part of the work is its `weight`.
    public convenience init(
        sharing loader: DeferredLoader<Key, Value>, named name: String, weight: Int = 1,
        _ viewport: Viewport, rule: any LoadingPolicy = .value, scroller: Scroller? = nil,
        layout: ((_ rows: Range<Int>) -> Void)? = nil, key: @escaping (_ row: Int) -> Key?,
        show: @escaping (_ row: Int, _ state: LoadState<Value>) -> Void
    ) {
        let tracker = ScrollTracker(viewport, scroller: scroller)
        self.init(loader, false, name, weight, tracker, rule, layout, key, show)
    }

    /// A list that shares a loader, has a tracker that was made for it, and is told of every frame, the
    /// first too.
    package convenience init(
        sharing loader: DeferredLoader<Key, Value>, _ tracker: ScrollTracker,
        rule: any LoadingPolicy, key: @escaping (_ row: Int) -> Key?,
        show: @escaping (_ row: Int, _ state: LoadState<Value>) -> Void
    ) {
        self.init(loader, false, "", 1, tracker, rule, nil, key, show, looks: false)
    }

    private init(
        _ loader: DeferredLoader<Key, Value>, _ ownsLoader: Bool, _ name: String, _ weight: Int,
        _ tracker: ScrollTracker, _ rule: any LoadingPolicy, _ layout: Layout?,
        _ key: @escaping (Int) -> Key?, _ show: @escaping Show, looks: Bool = true
    ) {
        self.loader = loader
        self.ownsLoader = ownsLoader
        self.rule = rule
        self.layout = layout
        self.show = show
        self.looks = looks
        loop = loader.queue.loop
        self.tracker = tracker
        let link = Link(key)
        self.link = link
        facts = loader.facts { link.key($0) }
        list = loader.list(named: name, weight: weight) { link.owner?.take($1, of: $0) }
        link.owner = self
        if looks { follow(self.tracker.note(.frame, at: loop.clock.now)) }
    }

    /// The list of closures that are made before it, and what they ask as long as it's open.
    private final class Link {
        weak var owner: DeferredList?
        var key: (Int) -> Key?

        init(_ key: @escaping (Int) -> Key?) {
            self.key = key
        }
    }

    deinit {
        close()
    }

    /// Wants nothing any more, and lets go of its callbacks; nothing is called afterwards.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        timer?.id.cancel()
        timer = nil
        let given = (key, layout, show, rows, shown, wantedRows, facts, rule, listeners)
        defer { withExtendedLifetime(given) {} }  // which may call back as it goes
        link.key = { _ in nil }
        layout = nil
        show = { _, _ in }
        facts = NoLoadFacts()
        rule = NoRule()  // as the rule may hold what it was told
        (rows, keys, shown, wantedRows) = ([:], [], [:], [:])
        listeners = [:]
        moments = []
        list.close()
        if ownsLoader { loader.close() }
    }

    // MARK: - What happens

    /// The rows and the window on them, as they were told last.
    public var viewport: Viewport { tracker.viewport }
    /// The motion of the list.
    public var motion: ScrollMotion { tracker.motion }
    /// The place where a fling will rest; nil if none moves the list, or it isn't known.
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

    /// Inserts, removes and moves rows without moving what is seen; `measure` gives the heights of new
    /// ones, in px.
    ///
    /// - Throws: ``ScrollModel/ListUpdateError``; the list then stays as it was.
    /// - Returns: where everything is now, and what came into view and what went.
    @discardableResult
    public func perform(
        _ updates: [ListUpdate], anchor: ScrollAnchor = .top,
        measure: ((ListElement) -> Double?)? = nil
    ) throws(ListUpdateError) -> ViewportUpdate {
        var changed = viewport
        let update = try changed.perform(updates, anchor: anchor, measure: measure)
        change { $0 = changed }
        return update
    }

    /// Changes rows and their heights, and asks for the keys of those in view anew.
    ///
    /// Whatever is done to the list inside `body` by other calls is undone by what that changes.
    public func change(_ body: (inout Viewport) throws -> Void) rethrows {
        guard isOpen else { return }
        var changed = viewport
        try body(&changed)
        guard isOpen else { return }
        let moment = tracker.change(at: loop.clock.now) { $0 = changed }
        isStale = true
        edition += 1
        said = nil
        follow(moment)
        if isOpen { follow(tracker.note(.frame, at: loop.clock.now)) }
    }

    /// Follows what has happened: rows in view, what is wanted, and when to look again.
    private func follow(_ moment: ScrollMoment) {
        guard !isFollowing else { return moments.append(moment) }
        isFollowing = true
        var next: ScrollMoment? = moment
        var answer: [Wanted<Int>]?
        while isOpen, var moment = next {
            moment.now = max(moment.now, loop.clock.now)
            let range = tracker.viewport.visibleRows
            if range != visible || isStale { subscribe(to: range) }
            guard isOpen else { break }
            if moment.event == .changed { answer = nil }  // its rows are others now
            // Nobody is asked for the keys of rows that may have gone meanwhile.
            let loads = moments.isEmpty ? facts : NoLoadFacts()
            if let rows = ask({ $0.wanted(after: moment, loads: loads) }) { answer = rows }
            if moments.isEmpty, let answer, answer != said { want(answer) }
            next = moments.isEmpty ? nil : moments.removeFirst()
        }
        isFollowing = false
        scheduleLook()
    }

    /// Wants the keys of rows, and says why if somebody listens.
    private func want(_ rows: [Wanted<Int>]) {
        said = rows
        var wanted: [Wanted<Key>] = []
        wanted.reserveCapacity(rows.count)
        var named: [Key: Int] = [:]
        for wish in rows {
            guard let key = key(wish.key) else { continue }
            wanted.append(Wanted(key, urgency: wish.urgency, rank: wish.rank))
            if loader.onDecision != nil, named[key] == nil { named[key] = wish.key }
        }
        guard isOpen else { return }  // a callback may have closed it
        let before = wantedRows
        wantedRows = named
        list.reconcile(with: wanted) { [weak self] key in
            guard let self, let row = wantedRows[key] ?? before[key] else { return nil }
            return rule.explanation(ofRow: row)
        }
    }

    /// Asks the rule, which calls back for keys and costs: the list may be closed meanwhile, or asked.
    private func ask<T>(_ question: (inout any LoadingPolicy) -> T) -> T {
        var asked: any LoadingPolicy = NoRule()
        swap(&asked, &rule)
        defer { if isOpen { swap(&asked, &rule) } }
        return question(&asked)
    }

    /// Looks again when frames may be over without anybody's saying so, and once more when the list
    /// has rested for long.
    ///
    /// The timer of an earlier event stays if it isn't too late: when it's over it's set anew.
    private func scheduleLook() {
        guard isOpen, looks else { return }
        let next = tracker.nextLook(after: looked, at: loop.clock.now)
        if let timer {
            if let next, timer.instant <= next { return }
            timer.id.cancel()
        }
        timer = next.map { next in  // which may be over: events come late
            (loop.schedule(at: next) { [weak self] in self?.look() }, next)
        }
    }

    private func look() {
        timer = nil
        let now = loop.clock.now
        guard let next = tracker.nextLook(after: looked, at: now), next <= now else {
            return scheduleLook()
        }
        looked = now
        follow(tracker.noteSilence(at: now))
    }

    // MARK: - What shows

    /// Subscribes to the keys of the rows in view, and to no others.
    private func subscribe(to range: Range<Int>) {
        let (old, edition) = (visible, edition)
        layout?(range)
        var order: [Key] = []
        var places: [Key: [Int]] = [:]
        for row in range {
            guard edition == self.edition else { return }  // edited by a callback: it's asked anew
            guard let key = key(row) else { continue }
            if places[key]?.append(row) == nil {
                places[key] = [row]
                order.append(key)
            }
        }
        guard isOpen, edition == self.edition else { return }
        let before = keys
        (rows, keys, visible, isStale) = (places, order, range, false)
        shown = shown.filter { places[$0.value]?.contains($0.key) ?? false }
        for key in before where places[key] == nil { list.unsubscribe(from: key) }
        for key in order {
            guard isOpen, !isStale, let here = rows[key] else { return }  // it's asked anew
            let new = list.isSubscribed(to: key) ? here.filter { shown[$0] != key } : here
            guard !new.isEmpty else { continue }
            subscribing = key  // what is there is shown below
            list.subscribe(to: key)
            subscribing = nil
            let state = loader.state(of: key)
            let entered = new.count { !old.contains($0) }
            statistics.entered += entered
            if state.value != nil { statistics.ready += entered }
            show(state, of: key, in: new)
        }
    }

    /// Takes what the loader tells of a key in view.
    private func take(_ state: LoadState<Value>, of key: Key) {
        guard subscribing != key, let rows = rows[key] else { return }
        switch state {
        case .loaded: statistics.loaded += rows.count
        case .failed: statistics.failed += rows.count
        case .placeholder, .queued, .fetching, .loading, .refined: break
        }
        show(state, of: key, in: rows)
    }

    /// Shows how far a key's load has come in its rows, as long as they are that key's: a callback
    /// may edit the list.
    private func show(_ state: LoadState<Value>, of key: Key, in places: [Int]) {
        let first = edition
        for (index, row) in places.enumerated() where isOpen {
            if isStale {
                for row in places[index...] where shown[row] == key { shown[row] = nil }
                return  // these are shown when the list is asked anew
            }
            guard edition == first || rows[key]?.contains(row) == true else { continue }
            let state = index == 0 ? state : loader.state(of: key)
            shown[row] = key
            show(row, state)
            for listener in listeners.values { listener.send([row: state]) }
        }
    }

    /// Returns what there is to show, for a task on the loop: of the rows in view, then of those
    /// that change, each with the last there is.
    ///
    /// ```swift
    /// loop.task {
    ///     for await changes in list.updates() {
    ///         for (row, state) in changes { screen.draw(row, state) }
    ///     }
    /// }
    /// ```
    ///
    /// Rows that have left since are among them, as far as the task hasn't taken them yet.
    public func updates() -> LoopEvents<[Int: LoadState<Value>]> {
        listenerCount += 1
        let number = listenerCount
        let (events, end) = LoopEvents<[Int: LoadState<Value>]>.sums(on: loop) {
            ($0 ?? [:]).merging($1) { $1 }
        } stop: { [weak self] in
            self?.listeners[number] = nil
        }
        if isOpen { listeners[number] = end }
        let now = rows.flatMap { key, rows in rows.map { ($0, loader.state(of: key)) } }
        if !now.isEmpty { end.send(Dictionary(uniqueKeysWithValues: now)) }
        return events
    }

    // MARK: - Questions

    /// The keys that are wanted now, as the rule said it.
    package var wanted: [Wanted<Key>] { list.wanted }

    /// Returns the state of a row's load; a placeholder for one that has no key.
    public func state(ofRow row: Int) -> LoadState<Value> {
        guard let key = key(row) else { return .placeholder }
        return loader.state(of: key)
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
        if let rows = rows[key] { show(loader.state(of: key), of: key, in: rows) }
    }
}

/// The rule of a list that is closed, or whose rule is being asked.
private struct NoRule: LoadingPolicy {
    func wanted(after moment: ScrollMoment, loads: any LoadFacts) -> [Wanted<Int>]? { nil }
}

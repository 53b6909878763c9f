public import IdleLoop
public import ScrollModel

/// A list whose rows are loaded in lulls: the whole way from a scroll event to the row on screen.
///
/// ```swift
/// let list = try DeferredList(on: loop, viewport, source: thumbnails) { row in
///     row  // the key of the row's value
/// } show: { row, state in
///     if let picture = state.shown { cells[row].show(picture) }
/// }
/// list.touched(.down(y: 700))
/// list.scrolled(to: 1_240)
/// ```
///
/// The list takes touches, offsets, sizes and edits. A tracker measures the motion, a rule
/// selects the wanted rows, and a loader loads their values in lulls of the loop. `show` is called
/// for each row that comes into view, and again when there is more of its value or it has failed.
/// Rows that leave are forgotten, jobs for which the queue had no room are submitted again, and
/// transient failures are retried. The list updates itself when no further events come: an event
/// that ends a fling isn't needed.
///
/// Callbacks may call the list, close it or release it.
public final class DeferredList<Key: Hashable, Value> {
    /// The time after which what wasn't admitted is wanted again, if no load ends before.
    private static var pause: Duration { .milliseconds(250) }

    /// The loader of the values; other lists may share it.
    public let loader: DeferredLoader<Key, Value>
    private let loop: MainLoop
    let list: LoadList<Key, Value>
    private let ownsLoader: Bool
    let link: Link
    private(set) var display: ListDisplay<Key, Value>
    private var facts: any LoadStatus
    private(set) var rule: any LoadingPolicy
    private var tracker: ScrollTracker

    /// The time of the last update without an event, or of the last of a list that is shown elsewhere.
    private var lastCheck = Instant.zero
    private var timer: (id: LoopTimer, instant: Instant)?
    /// The observer that asks for more before idle, if the rule's last answer was a part.
    private var partObserver: Observer?
    /// The rule's last answer; nil if the keys of rows may have changed since.
    private var lastAnswer: [Wanted<Int>]?
    /// Whether there were events since the last update of a list that is shown elsewhere, and what the
    /// rule has answered to them, if anything.
    private var hasNews = false
    private var noted: [Wanted<Int>]?
    /// The time between the last event and the update that follows it: the list has moved on
    /// meanwhile.
    private var age = Duration.zero
    /// The time at which what wasn't admitted is wanted again; nil if all was.
    private var retry: Instant?
    /// Called when the list is to be updated, by ``update()``, instead of an update before idle.
    ///
    /// For a list that is shown elsewhere, one of many that take turns: the rest of what is wanted
    /// can be requested, or no event has come for so long that the list must have come to rest.
    public var onDue: (() -> Void)? {
        didSet { if !isOpen { onDue = nil } }
    }
    /// The rows of the wanted keys, for observers of decisions.
    package private(set) var wantedRows: [Key: Int] = [:]
    /// Whether the list updates itself by a timer when no events come; a replay, which reports
    /// every frame even when nothing moves, doesn't need that.
    private let pollsWhenIdle: Bool
    /// Whether it has not been closed.
    package private(set) var isOpen = true
    /// The number of times that were ignored.
    private var invalidTimes = 0

    /// The counts of what it has shown so far.
    public var statistics: Statistics {
        var statistics = display.counts
        statistics.ignored = tracker.ignored + invalidTimes
        return statistics
    }

    /// A list with a loader and a queue of its own, whose rows in view are shown at once.
    ///
    /// `layout`, `key` and `show` are called inside this initializer, for the rows in view: whatever
    /// they use must be there before. An object that owns its list creates it last.
    ///
    /// - Parameters:
    ///   - loop: the loop in whose lulls values are loaded.
    ///   - viewport: the rows, their heights, and the visible part of them.
    ///   - source: the source of the values.
    ///   - rule: the rule that selects the wanted rows.
    ///   - pool: the workers for fetches; nil for a pool of two.
    ///   - limits: the limits of what is kept and retried.
    ///   - scroller: the scroller that moves the list; nil if it isn't known.
    ///   - layout: called before rows are shown, when other rows come into view or the same rows
    ///     may have other content: lay out a ``/ListCells/ReusePool`` here, by the rows' keys if
    ///     rows are inserted and deleted. A value is kept as long as a row in view has its key.
    ///   - key: returns the key of a row's value; nil if there is nothing to load for it.
    ///   - show: called with the state to show of a row in view.
    /// - Throws: if the process is out of descriptors or threads.
    public convenience init(
        on loop: MainLoop, _ viewport: Viewport, source: any LoadSource<Key, Value>,
        rule: any LoadingPolicy = .value, pool: WorkerPool? = nil,
        limits: LoaderConfiguration = .init(), scroller: Scroller? = nil,
        layout: ((_ rows: RowSet) -> Void)? = nil, key: @escaping (_ row: Int) -> Key?,
        show: @escaping (_ row: Int, _ state: LoadState<Value>) -> Void
    ) throws(LoopError) {
        let pool = if let pool { pool } else { try WorkerPool(width: 2, on: loop) }
        let queue = IdleQueue<Key>(on: loop, configuration: .list)
        let loader = DeferredLoader(
            queue: queue, pool: pool, source: source, configuration: limits)
        let tracker = ScrollTracker(viewport, scroller: scroller)
        self.init(loader, true, "", 1, tracker, rule, key) {
            CellDisplay($0, of: loader, layout, show)
        }
    }

    /// A list that shares a loader with others, and gets a part of its work according to `weight`.
    ///
    /// `layout`, `key` and `show` are called inside this initializer, for the rows in view.
    public convenience init(
        sharing loader: DeferredLoader<Key, Value>, named name: String, weight: Int = 1,
        _ viewport: Viewport, rule: any LoadingPolicy = .value, scroller: Scroller? = nil,
        layout: ((_ rows: RowSet) -> Void)? = nil, key: @escaping (_ row: Int) -> Key?,
        show: @escaping (_ row: Int, _ state: LoadState<Value>) -> Void
    ) {
        let tracker = ScrollTracker(viewport, scroller: scroller)
        self.init(loader, false, name, weight, tracker, rule, key) {
            CellDisplay($0, of: loader, layout, show)
        }
    }

    /// A list that shares a loader, has a tracker that was made for it, and is told of every frame,
    /// the first too.
    package convenience init(
        sharing loader: DeferredLoader<Key, Value>, _ tracker: ScrollTracker,
        rule: any LoadingPolicy, key: @escaping (_ row: Int) -> Key?,
        show: @escaping (_ row: Int, _ state: LoadState<Value>) -> Void
    ) {
        self.init(loader, false, "", 1, tracker, rule, key, pollsWhenIdle: false) {
            CellDisplay($0, of: loader, nil, show)
        }
    }

    /// A list whose rows another process shows, such as a page in a browser, and that shares a loader
    /// with others.
    ///
    /// ```swift
    /// let list = DeferredList(
    ///     sharing: loader, named: page.name, viewport, on: page.display
    /// ) { row in names[row] } send: { name, state in
    ///     if let picture = state.value { page.send(picture, name) }
    /// }
    /// for event in page.events { list.touched(event, at: now) }
    /// list.update()
    /// ```
    ///
    /// The display keeps what it was sent. So `send` is called once for each key that is wanted and
    /// loaded, or has failed for good, in view or not; what is loaded already is sent first. Then it
    /// isn't wanted any more, as long as the display has it.
    ///
    /// Events and changes are only noted, until ``update()`` asks the rule, once after all of them:
    /// its answer costs a hundred times what an event does. Call it after events and changes, and
    /// when ``onDue`` says so. Nothing is called inside this initializer.
    ///
    /// - Parameters:
    ///   - loader: the loader of the values.
    ///   - name: the name of the list, in decisions.
    ///   - weight: its part of the work beside other lists.
    ///   - viewport: the rows, their heights, and the visible part of them.
    ///   - display: what the display has, the way to it, and how much may be loaded for it.
    ///   - rule: the rule that selects the wanted rows.
    ///   - scroller: the scroller that moves the list; nil if it isn't known.
    ///   - key: returns the key of a row's value; nil if there is nothing to load for it.
    ///   - send: called with the value or the failure of a key.
    public convenience init(
        sharing loader: DeferredLoader<Key, Value>, named name: String, weight: Int = 1,
        _ viewport: Viewport, on display: RemoteDisplay<Key>, rule: any LoadingPolicy = .value,
        scroller: Scroller? = nil, key: @escaping (_ row: Int) -> Key?,
        send: @escaping (_ key: Key, _ state: LoadState<Value>) -> Void
    ) {
        let tracker = ScrollTracker(viewport, scroller: scroller)
        self.init(loader, false, name, weight, tracker, rule, key, on: display) {
            SendingDisplay($0, of: loader, display, send)
        }
    }

    private init(
        _ loader: DeferredLoader<Key, Value>, _ ownsLoader: Bool, _ name: String, _ weight: Int,
        _ tracker: ScrollTracker, _ rule: any LoadingPolicy, _ key: @escaping (Int) -> Key?,
        on remote: RemoteDisplay<Key>? = nil, pollsWhenIdle: Bool = true,
        _ display: (LoadList<Key, Value>) -> ListDisplay<Key, Value>
    ) {
        self.loader = loader
        self.ownsLoader = ownsLoader
        self.rule = rule
        self.tracker = tracker
        self.pollsWhenIdle = pollsWhenIdle
        loop = loader.queue.loop
        let link = Link(key)
        self.link = link
        list = loader.list(named: name, weight: weight) { link.owner?.display.take($1, of: $0) }
        self.display = display(list)
        var measured = remote
        if let delivery = remote?.delivery {
            measured?.delivery = { (link.owner?.age ?? .zero) + delivery() }
        }
        // A rule may go on to ask about rows that a callback has edited meanwhile.
        facts = loader.facts(of: list, on: measured) { row in
            link.owner?.display.isStale == false ? link.key(row) : nil
        }
        link.owner = self
        list.onHalfDone = { link.owner?.updateLater() }
        if pollsWhenIdle, remote == nil { take(self.tracker.note(.frame, at: loop.clock.now)) }
    }

    deinit {
        close()
    }

    /// Cancels all that the list wants and releases its callbacks; nothing is called afterwards.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        timer?.id.cancel()
        timer = nil
        partObserver?.cancel()
        partObserver = nil
        let released = display.close() + [link.key, wantedRows, facts, rule, onDue]
        link.key = { _ in nil }
        (display, facts, rule) = (ListDisplay(), NoLoadStatus(), NoRule())
        (wantedRows, onDue) = ([:], nil)
        list.close()
        if ownsLoader { loader.close() }
        loader.call { [loader] in loader.releaseLater(released) }
    }

    // MARK: - Events and changes

    /// The rows and the visible part of them, as last reported.
    public var viewport: Viewport { tracker.viewport }
    /// The motion of the list.
    public var motion: ScrollMotion { tracker.motion }
    /// The forecast of a fling; nil if there is none, or its landing position is unknown.
    public var forecast: FlingForecast? { tracker.forecast }

    /// Processes a touch, wheel, key or jump event; `offset` is the list's offset at that time, in
    /// px, if known.
    ///
    /// Numbers that make no sense are ignored, and counted in the statistics; a time more than ten
    /// seconds ahead is one, and the event counts as one of now.
    public func touched(_ event: ScrollEvent, at time: Instant? = nil, offset: Double? = nil) {
        guard isOpen else { return }
        let now = loop.clock.now
        var time = time ?? now
        if time - now > .seconds(10) { (time, invalidTimes) = (now, invalidTimes + 1) }
        hasNews = true
        take(tracker.note(event, at: time, offset: offset))
    }

    /// Sets the list's offset, in px, at a frame that began at `time`.
    public func scrolled(to offset: Double, at time: Instant? = nil) {
        touched(.frame, at: time, offset: offset)
    }

    /// Sets the height of the viewport, in px; one that isn't from 0 to 2²⁰ is ignored.
    public func resized(to height: Double) {
        guard !display.waitsForUpdate else { return tracker.resize(to: height) }
        show(tracker.change(at: loop.clock.now) { $0.height = height })
    }

    /// Asks the rule what is wanted after all that was noted, of a list that is shown elsewhere.
    ///
    /// If there was no event, and the list stood still or should have reported its motion by now, it
    /// rests where it is. Of a list whose rows this process shows, the rule is only asked once more.
    public func update() {
        guard display.waitsForUpdate else { return take(tracker.moment) }
        loader.call { [weak self] in self?.lookAfterEvents() }
    }

    private func lookAfterEvents() {
        let now = loop.clock.now
        let next = tracker.nextCheck(after: lastCheck, at: now) ?? now
        let isMoving = tracker.motion.velocity != 0 && next > now
        if hasNews || !isMoving { lastCheck = now }
        retry = nil
        age = .zero
        guard hasNews || isMoving else { return look(tracker.noteSilence(at: now)) }
        hasNews = false
        age = max(.zero, now - (tracker.lastEvent ?? now))
        look(tracker.moment)
    }

    /// Inserts, deletes and moves rows without moving the rows in view; `measure` returns the
    /// heights of new ones, in px.
    ///
    /// - Throws: ``/ScrollModel/ListUpdateError``; the list is then unchanged.
    /// - Returns: the new indexes of rows and sections.
    @discardableResult
    public func perform(
        _ updates: [ListUpdate], anchor: ScrollAnchor = .top,
        measure: ((ListElement) -> Double?)? = nil
    ) throws(ListUpdateError) -> IndexMapping {
        var changed = viewport
        let mapping = try changed.perform(updates, anchor: anchor, measure: measure)
        change { $0 = changed }
        return mapping
    }

    /// Changes rows and their heights, and asks for the keys of the rows in view again.
    ///
    /// Changes that other calls make to the list inside `body` are overwritten.
    ///
    /// - Returns: the distance, in px, by which the offset moved to keep the rows in view in their
    ///   places. A host that moves the list along a path of its own shifts the path by it.
    @discardableResult
    public func change(_ body: (inout Viewport) throws -> Void) rethrows -> Double {
        guard isOpen else { return 0 }
        var changed = viewport
        try body(&changed)
        guard isOpen else { return 0 }
        let shift = changed.pendingShift
        let moment = tracker.change(at: loop.clock.now) { $0 = changed }
        display.isStale = true
        lastAnswer = nil
        if display.waitsForUpdate { take(moment) } else { show(moment) }
        return shift
    }

    /// Processes an event, or only notes it for ``update()`` if the list is shown elsewhere.
    private func take(_ moment: ScrollState) {
        guard !loader.callNow({ takeNow(moment) }) else { return }
        loader.call { [weak self] in self?.takeNow(moment) }
    }

    private func takeNow(_ moment: ScrollState) {
        guard display.waitsForUpdate else { return look(moment) }
        if case .changed = moment.event { noted = nil }  // its rows have changed
        if let answer = ask({ $0.note(moment) }) { noted = answer }
    }

    /// Processes a change, and the frame that shows it: no frame of the list's motion, since nobody
    /// had the time to move it.
    private func show(_ change: ScrollState) {
        take(change)
        var frame = change
        frame.event = .frame
        take(frame)
    }

    /// Subscribes to the rows in view after an event, requests what the rule wants, and schedules the
    /// next look, in a change of the loader.
    private func look(_ event: ScrollState) {
        var moment = event
        moment.viewport = tracker.viewport  // a look that was put off is at the rows of now
        if !display.waitsForUpdate { moment.now = max(moment.now, loop.clock.now) }
        display.look(at: tracker.viewport.visibleRows) { link.key($0) }
        // Once a callback has edited the list, no key is asked for: another look follows.
        let isEdited = display.isStale
        let rows = ask { rule in
            defer { list.isPartial = rule.isPartial }
            return isEdited ? rule.note(moment) : rule.wanted(after: moment, loads: facts)
        }
        // A display may lack other keys than at the last answer.
        let answer = rows ?? noted ?? (display.waitsForUpdate ? lastAnswer : nil)
        noted = nil
        if let answer, answer != lastAnswer || display.waitsForUpdate { want(answer) }
        scheduleCheck()
    }

    /// Requests the keys of rows, with the rule's reasons if decisions are observed.
    private func want(_ rows: [Wanted<Int>]) {
        var wanted: [Wanted<Key>] = []
        wanted.reserveCapacity(rows.count)
        var named: [Key: Int] = [:]
        for row in rows {
            guard !display.isStale else { return }
            guard let key = link.key(row.key) else { continue }
            wanted.append(Wanted(key, urgency: row.urgency, rank: row.rank))
            if loader.onDecision != nil, named[key] == nil { named[key] = row.key }
        }
        // `key` may have edited or closed it: only what is requested counts as the last answer.
        guard !display.isStale else { return }
        lastAnswer = rows
        let (keys, isCut) = display.request(wanted)
        retry = isCut ? loop.clock.now + Self.pause : nil
        list.isPartial = list.isPartial || isCut
        let before = wantedRows
        wantedRows = named
        loader.reconcile(list.state, with: keys) { [weak self] key in
            guard let self, let row = wantedRows[key] ?? before[key] else { return nil }
            return rule.explanation(ofRow: row)
        }
    }

    /// Calls the rule, which calls back for keys and costs: the list may be closed meanwhile.
    private func ask<T>(_ question: (inout any LoadingPolicy) -> T) -> T {
        var asked: any LoadingPolicy = NoRule()
        swap(&asked, &rule)
        defer { if isOpen { swap(&asked, &rule) } }
        return question(&asked)
    }

    /// Schedules the next update without an event: one when frames may have ended without notice,
    /// and one when the list has rested for long.
    ///
    /// The timer of an earlier event stays if it isn't too late: when it fires it is set again.
    private func scheduleCheck() {
        guard isOpen, pollsWhenIdle else { return }
        let next = nextCheck(at: loop.clock.now)
        if let timer {
            if let next, timer.instant <= next { return }
            timer.id.cancel()
        }
        timer = next.map { next in  // the time may have passed: events come late
            (loop.schedule(at: next) { [weak self] in self?.check() }, next)
        }
    }

    /// Returns the time of the next update without an event, which may be in the past; nil for never.
    private func nextCheck(at now: Instant) -> Instant? {
        let next = tracker.nextCheck(after: lastCheck, at: now)
        guard let retry else { return next }
        return next.map { min($0, retry) } ?? retry
    }

    private func check() {
        timer = nil
        let now = loop.clock.now
        guard let next = nextCheck(at: now), next <= now else { return scheduleCheck() }
        guard !display.waitsForUpdate else { return updateLater() }
        lastCheck = now
        take(tracker.noteSilence(at: now))
    }

    /// Asks the rule again before idle, or when the owner has its turn, if there is more to want.
    private func updateLater() {
        guard isOpen, partObserver == nil else { return }
        if let onDue { return onDue() }
        partObserver = loop.observe(.beforeIdle, repeats: false) { [weak self] _ in
            guard let self else { return }
            partObserver = nil
            update()
        }
    }
}

/// The rule of a list that is closed, or whose own rule is being called.
private struct NoRule: LoadingPolicy {
    func wanted(after moment: ScrollState, loads: any LoadStatus) -> [Wanted<Int>]? { nil }
}

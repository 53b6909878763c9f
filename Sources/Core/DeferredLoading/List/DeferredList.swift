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
/// list.handle(.down(y: 700))
/// list.scrolled(to: 1_240)
/// ```
///
/// Its ``ListOptions`` say the rest. This list leaves the work of its queue until it rests:
///
/// ```swift
/// var options = ListOptions<Int>(rule: .within(rows: 3), tracksMode: true)
/// options.queue.modes = .default
/// let calm = try DeferredList(on: loop, viewport, source: thumbnails, options: options) { row in
///     row
/// } show: { row, state in
///     if let picture = state.shown { cells[row].show(picture) }
/// }
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
    /// The rule's last answer, and whether the keys of rows may have changed since.
    private var (lastAnswer, isAnswerStale) = ([Wanted<Int>](), true)
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
    /// Whether the loop is in the mode for tracking while the list moves, and whether it does.
    private let tracksMode: Bool
    private var holdsTracking = false
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

    init<Index>(
        _ loader: DeferredLoader<Key, Value>, ownsLoader: Bool = false, _ tracker: ScrollTracker,
        _ options: ListOptions<Index>, _ link: Link, on remote: RemoteDisplay<Key>? = nil,
        pollsWhenIdle: Bool = true, display: (LoadList<Key, Value>) -> ListDisplay<Key, Value>
    ) {
        self.loader = loader
        self.ownsLoader = ownsLoader
        self.tracker = tracker
        self.pollsWhenIdle = pollsWhenIdle
        self.link = link
        (rule, tracksMode) = (options.rule, options.tracksMode)
        loop = loader.queue.loop
        list = loader.list(named: options.name, weight: options.weight) {
            link.owner?.display.take($1, of: $0)
        }
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
        followMotion()
        let released = display.close() + link.close() + [wantedRows, facts, rule, onDue]
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
    public func handle(_ event: ScrollEvent, at time: Instant? = nil, offset: Double? = nil) {
        guard isOpen else { return }
        let now = loop.clock.now
        var time = time ?? now
        if time - now > .seconds(10) { (time, invalidTimes) = (now, invalidTimes + 1) }
        hasNews = true
        take(tracker.note(event, at: time, offset: offset))
    }

    /// Sets the list's offset, in px, at a frame that began at `time`.
    public func scrolled(to offset: Double, at time: Instant? = nil) {
        handle(.frame, at: time, offset: offset)
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
        guard hasNews || isMoving else {
            look(tracker.noteSilence(at: now))
            return followMotion()
        }
        hasNews = false
        age = max(.zero, now - (tracker.lastEvent ?? now))
        look(tracker.moment)
    }

    /// Inserts, deletes and moves rows without moving the rows in view.
    ///
    /// - Parameters:
    ///   - updates: The updates, in one batch.
    ///   - counts: The numbers of rows of all sections after the batch, as the program has them; nil
    ///     not to check them. O(sections).
    ///   - anchor: What keeps its place on screen.
    ///   - measure: Returns the height of a new row, header or footer, in px; nil for the estimate.
    /// - Throws: ``/ScrollModel/ListUpdateError``; the list is then unchanged.
    /// - Returns: the new indexes of rows and sections.
    @discardableResult
    public func perform(
        _ updates: [ListUpdate], expecting counts: [Int]? = nil, anchor: ScrollAnchor = .top,
        measure: ((ListElement) -> Double?)? = nil
    ) throws(ListUpdateError) -> IndexMapping {
        var changed = viewport
        let mapping = try changed.perform(updates, anchor: anchor, measure: measure)
        if let counts { try changed.list.check(counts) }
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
        (display.isStale, isAnswerStale) = (true, true)
        if display.waitsForUpdate { take(moment) } else { show(moment) }
        return shift
    }

    /// Processes an event, or only notes it for ``update()`` if the list is shown elsewhere.
    private func take(_ moment: ScrollState) {
        defer { followMotion() }
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
        display.look(at: moment.viewport)
        // Once a callback has edited the list, no key is asked for: another look follows.
        let isEdited = display.isStale
        let rows = ask { rule in
            defer { list.isPartial = rule.isPartial }
            return isEdited ? rule.note(moment) : rule.wanted(after: moment, loads: facts)
        }
        // A display may lack other keys than at the last answer, or have other headers in view.
        let wantsAgain =
            display.waitsForUpdate ? !isAnswerStale : display.hasNews && event.event == .frame
        let answer = rows ?? noted ?? (wantsAgain ? lastAnswer : nil)
        noted = nil
        if let answer, isAnswerStale || wantsAgain || answer != lastAnswer { want(answer) }
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
        (lastAnswer, isAnswerStale) = (rows, false)
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

    /// Keeps the loop in the mode for tracking while the list moves, if the options say so.
    private func followMotion() {
        let moves = isOpen && tracksMode && tracker.motion.phase != .resting
        guard moves != holdsTracking else { return }
        holdsTracking = moves
        if moves { loop.beginTracking() } else { loop.endTracking() }
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

extension ListLayout {
    /// Throws unless the sections have these numbers of rows.
    fileprivate func check(_ counts: [Int]) throws(ListUpdateError) {
        guard counts.count == sectionCount else {
            throw .unexpectedCount(section: nil, count: sectionCount, expected: counts.count)
        }
        for (section, expected) in counts.enumerated() {
            let count = rowCount(inSection: section)
            guard count == expected else {
                throw .unexpectedCount(section: section, count: count, expected: expected)
            }
        }
    }
}

internal import CLull
internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel

/// A C program's list, with a queue and a loader of its own.
final class CList: LoopObject {
    unowned let loop: CLoop
    let list: DeferredList<UInt64, CValue>
    let callbacks: ListCallbacks
    private let queue: IdleQueue<UInt64>

    init(on loop: CLoop, _ options: lull_list_options) throws(StatusError) {
        let callbacks = unsafe ListCallbacks(options, loop.scope)
        let limits = try unsafe LoaderConfiguration(options)
        let rule = try unsafe options.loadingPolicy()
        let viewport = try unsafe Viewport(options, callbacks)
        let chosen = try unsafe queueOptions(options.queue)
        let configuration = try unsafe QueueConfiguration(chosen)
        queue = unsafe IdleQueue(
            on: loop.loop, configuration: configuration, order: Int(chosen.order))
        let loader = DeferredLoader(
            queue: queue, source: CSource(callbacks: callbacks), configuration: limits)
        self.loop = loop
        self.callbacks = callbacks
        list = DeferredList(
            sharing: loader, named: "", viewport, rule: rule,
            key: { callbacks.key(ofRow: $0) }, show: { callbacks.show($0, $1) })
    }

    /// Returns the list that a handle names.
    static func named(_ handle: OpaquePointer?) throws(StatusError) -> CList {
        unsafe try HandleEntry.object(of: handle, LULL_KIND_LIST)
    }

    /// Calls `body` with the list that a handle names, and returns the status for C.
    static func with(
        _ handle: OpaquePointer?, _ body: (CList) throws(StatusError) -> Void
    ) -> lull_status {
        status { () throws(StatusError) in
            try body(unsafe named(handle))
            return LULL_OK
        }
    }

    func close() {
        callbacks.isClosed = true
        list.close()
        list.loader.close()
        queue.close()
    }

    /// Returns the number of a row that exists.
    func row(_ number: Int64) throws(StatusError) -> Int {
        guard 0..<Int64(list.viewport.list.rowCount) ~= number else { throw .invalid }
        return Int(number)
    }

    /// Returns a time that C has given as an instant; now for `LULL_NONE`.
    func moment(_ time: Int64) throws(StatusError) -> Instant {
        let now = loop.loop.clock.now
        if time == Int64(LULL_NONE) { return now }
        guard time >= 0, time <= now.advanced(by: .seconds(10)).nanoseconds else { throw .invalid }
        return Instant(nanoseconds: time)
    }

    /// Returns an offset in px, clamped to the range of the list.
    func offset(_ offset: Double) throws(StatusError) -> Double {
        guard !offset.isNaN else { throw .invalid }
        return list.viewport.clamped(offset)
    }

    /// Changes the flow of the rows in lines.
    func arrange(_ flow: lull_flow) throws(StatusError) {
        guard !callbacks.isBusy else { throw StatusError(status: LULL_BUSY) }
        let next = try LineFlow(flow)
        guard callbacks.hasRatios == (flow.rule == LULL_FLOW_JUSTIFIED) else { throw .invalid }
        do {
            try list.change { try $0.arrange(next) }
        } catch {
            throw .invalid
        }
    }

    /// Inserts, removes, moves and reloads rows; `count` is the number of rows afterwards.
    func update(_ updates: some Sequence<lull_update>, count: Int64) throws(StatusError) {
        guard !callbacks.isBusy else { throw StatusError(status: LULL_BUSY) }
        var calls: [ListUpdate] = []
        var (gone, come): ([Int], [Int]) = ([], [])
        for update in updates {
            let row = RowIndex(section: 0, row: Int(update.row))
            switch update.kind {
            case LULL_UPDATE_INSERT:
                calls.append(.insertRow(row))
                come.append(row.row)
            case LULL_UPDATE_REMOVE:
                calls.append(.deleteRow(row))
                gone.append(row.row)
            case LULL_UPDATE_MOVE:
                guard callbacks.hasKeys else { throw .invalid }
                calls.append(.moveRow(row, to: RowIndex(section: 0, row: Int(update.to))))
            case LULL_UPDATE_RELOAD: calls.append(.reloadRow(row))
            default: throw .invalid
            }
        }
        let rest = list.viewport.list.rowCount - gone.count
        guard count == rest + come.count, count < ListLayout.maximumCount else { throw .invalid }
        if !callbacks.hasKeys {
            guard (gone + come).allSatisfy({ $0 >= rest }) else { throw .invalid }
        }
        let changed: ViewportUpdate
        do {
            let measure = callbacks.hasHeights ? callbacks.height(of:) : nil
            changed = try list.perform(calls, measure: measure)
        } catch {
            throw .invalid
        }
        for row in changed.mapping.reloaded { list.invalidate(row: row.row) }
        // A row that is inserted in the place of a removed one has other content.
        if !callbacks.hasKeys { for row in gone { list.invalidate(row: row) } }
    }
}

extension LineFlow {
    /// The flow that C has given, if it is valid.
    init(_ flow: lull_flow) throws(StatusError) {
        let (columns, measure, most) = (Int(flow.columns), flow.measure, Viewport.mostHeight)
        let (isCounted, isMeasured) = (1...1024 ~= columns, 1...most ~= measure)
        let rule: Rule
        switch flow.rule {
        case LULL_FLOW_COLUMNS where isCounted: rule = .columns(columns)
        case LULL_FLOW_ADAPTIVE where isMeasured: rule = .adaptive(minimumWidth: measure)
        case LULL_FLOW_FIXED where isCounted && isMeasured:
            rule = .fixed(columns: columns, height: measure)
        case LULL_FLOW_JUSTIFIED where isMeasured: rule = .justified(height: measure)
        default: throw .invalid
        }
        guard 1...most ~= flow.width, 0...most ~= flow.spacing, 0...1 ~= flow.is_horizontal,
            flow.reserved == 0
        else { throw .invalid }
        self.init(
            rule, width: flow.width, spacing: flow.spacing, isHorizontal: flow.is_horizontal == 1)
    }
}

extension ListCallbacks {
    fileprivate func height(of element: ListElement) -> Double? {
        guard case .row(let row) = element else { return nil }
        return height(ofRow: row.row)
    }
}

extension LoaderConfiguration {
    /// The limits in C's options, if they are valid.
    fileprivate init(_ options: lull_list_options) throws(StatusError) {
        self.init()
        guard unsafe 1...(1 << 24) ~= options.limit else { throw .invalid }
        capacity = unsafe Int(options.limit)
        let (least, greatest) = unsafe (options.least_price, options.greatest_price)
        guard 0 <= least, least <= greatest, greatest.isFinite else { throw .invalid }
        prices = WorkPrice(secondsInView: least)...WorkPrice(secondsInView: greatest)
        guard unsafe options.byte_limit != Int64(LULL_NONE) else { return }
        guard unsafe options.byte_limit > 0 else { throw .invalid }
        byteLimit = unsafe Int(options.byte_limit)
    }
}

extension lull_list_options {
    /// Returns the rule that the options name.
    fileprivate func loadingPolicy() throws(StatusError) -> any LoadingPolicy {
        guard unsafe 0...1000 ~= margin else { throw .invalid }
        switch unsafe rule {
        case LULL_RULE_VALUE: return .value
        case LULL_RULE_VISIBLE: return .visible
        case LULL_RULE_WITHIN: return unsafe .within(rows: Int(margin))
        case LULL_RULE_EVERYTHING: return .everything
        default: throw .invalid
        }
    }
}

extension Viewport {
    /// The maximum height of a viewport, in px, which bounds the number of rows in view.
    static let mostHeight = 65_536.0

    fileprivate init(_ options: lull_list_options, _ callbacks: ListCallbacks) throws(StatusError) {
        let (rows, height) = unsafe (options.rows, options.height)
        guard unsafe callbacks.isMeasure(options.row_height), 0...Self.mostHeight ~= height,
            0..<Int64(ListLayout.maximumCount) ~= rows
        else { throw .invalid }
        let flow = unsafe try options.flow.map { flow throws(StatusError) in
            unsafe try LineFlow(flow.pointee)
        }
        do {
            if callbacks.hasHeights {
                let heights = (0..<Int(rows)).lazy.map { callbacks.height(ofRow: $0) }
                self.init(rows: try RowHeights(heights), height: height)
            } else {
                let rowHeight = unsafe options.row_height
                self.init(
                    try ListLayout(rowCounts: [Int(rows)], estimates: .init(row: rowHeight)),
                    height: height)
            }
            if let flow { try arrange(flow) }
        } catch {
            throw .invalid
        }
    }
}

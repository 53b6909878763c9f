internal import CLull
internal import DeferredLoading
internal import IdleLoop
internal import ScrollModel
internal import LullCalls

/// A C program's list, with a queue and a loader of its own.
final class CList: LoopObject {
    unowned let loop: CLoop
    let list: DeferredList<UInt64, CValue>
    let callbacks: ListCallbacks
    private let queue: IdleQueue<UInt64>

    init(on loop: CLoop, _ options: lull_list_options) throws(StatusError) {
        let callbacks = unsafe ListCallbacks(options, loop.scope, loop.loop.inbox)
        try unsafe require(
            0...1 ~= options.load_anywhere, "options->load_anywhere", "isn't 0 or 1")
        try unsafe require(options.reserved == 0, "options->reserved", "isn't 0")
        let limits = try unsafe LoaderConfiguration(options)
        let rule = try unsafe options.loadingPolicy()
        let viewport = try unsafe Viewport(options, callbacks)
        let chosen = try unsafe queueOptions(options.queue, "options->queue")
        let configuration = try unsafe QueueConfiguration(chosen, "options->queue")
        queue = unsafe IdleQueue(
            on: loop.loop, configuration: configuration, order: Int(chosen.order))
        let loader = DeferredLoader(
            queue: queue, source: CSource(callbacks: callbacks), configuration: limits)
        self.loop = loop
        self.callbacks = callbacks
        list = DeferredList(
            sharing: loader, viewport, options: .init(rule: rule),
            key: { callbacks.key(ofRow: $0) }, show: { callbacks.show($0, $1) })
    }

    /// Returns the list that a handle names.
    static func named(_ handle: OpaquePointer?) throws(StatusError) -> CList {
        unsafe try HandleEntry.object(of: handle, LULL_KIND_LIST)
    }

    /// Calls `body` with the list that a handle names, and returns the status for C.
    static func with(
        _ handle: OpaquePointer?, for function: StaticString = #function,
        _ body: (CList) throws(StatusError) -> Void
    ) -> lull_status {
        status(function) { () throws(StatusError) in
            try body(unsafe named(handle))
            return LULL_OK
        }
    }

    func close() {
        callbacks.isClosed = true
        list.close()
        list.loader.close()
        queue.close()
        for work in callbacks.unfinished { loop.end(work.body) { work.end(dropsAll: true) } }
    }

    /// Returns the number of a row that exists.
    func row(_ number: Int64) throws(StatusError) -> Int {
        let count = Int64(list.viewport.list.rowCount)
        try require(0..<count ~= number, "row", "isn't one of the list's \(count)")
        return Int(number)
    }

    /// Returns a time that C has given as an instant; now for `LULL_NONE`.
    func moment(_ time: Int64) throws(StatusError) -> Instant {
        let now = loop.loop.clock.now
        if time == Int64(LULL_NONE) { return now }
        let latest = now.advanced(by: .seconds(10)).nanoseconds
        try require(0...latest ~= time, "time", "is negative, or more than 10 s ahead")
        return Instant(nanoseconds: time)
    }

    /// Returns an offset in px, clamped to the range of the list.
    func offset(_ offset: Double, _ argument: String) throws(StatusError) -> Double {
        try require(!offset.isNaN, argument, "isn't a number")
        return list.viewport.clamped(offset)
    }

    /// Changes the flow of the rows in lines.
    func arrange(_ flow: lull_flow) throws(StatusError) {
        try checkQuiet()
        let next = try LineFlow(flow, "flow")
        try require(
            callbacks.hasRatios == (flow.rule == LULL_FLOW_JUSTIFIED), "flow->rule",
            "changes to or from LULL_FLOW_JUSTIFIED")
        do {
            try list.change { try $0.arrange(next) }
        } catch {
            throw .invalid("flow", "can't be used: \(error)")
        }
    }

    /// Refuses changes of rows inside callbacks that are given rows.
    private func checkQuiet() throws(StatusError) {
        if callbacks.isBusy { throw StatusError(LULL_BUSY, "list is inside one of its callbacks") }
    }

    /// Inserts, removes, moves and reloads rows; `count` is the number of rows afterwards.
    func update(_ updates: some Sequence<lull_update>, count: Int64) throws(StatusError) {
        try checkQuiet()
        var calls: [ListUpdate] = []
        var (gone, come): ([Int], [Int]) = ([], [])
        for (number, update) in updates.enumerated() {
            let row = RowIndex(section: 0, row: Int(update.row))
            switch update.kind {
            case LULL_UPDATE_INSERT:
                calls.append(.insertRow(row))
                come.append(row.row)
            case LULL_UPDATE_REMOVE:
                calls.append(.deleteRow(row))
                gone.append(row.row)
            case LULL_UPDATE_MOVE:
                try require(
                    callbacks.hasKeys, "updates[\(number)].kind",
                    "is LULL_UPDATE_MOVE in a list without keys")
                calls.append(.moveRow(row, to: RowIndex(section: 0, row: Int(update.to))))
            case LULL_UPDATE_RELOAD: calls.append(.reloadRow(row))
            default: throw .invalid("updates[\(number)].kind", "is none of lull_update_kind")
            }
        }
        let rest = list.viewport.list.rowCount - gone.count
        try require(
            count == rest + come.count, "rows", "isn't \(rest + come.count), as after the updates")
        try require(count < ListLayout.maximumCount, "rows", "isn't less than 2^40")
        try require(
            callbacks.hasKeys || (gone + come).allSatisfy { $0 >= rest }, "updates",
            "would renumber a row that stays, in a list without keys")
        let mapping: IndexMapping
        do {
            let measure = callbacks.hasHeights ? callbacks.height(of:) : nil
            mapping = try list.perform(calls, measure: measure)
        } catch {
            throw .invalid("updates", "can't be made: \(error)")
        }
        for row in mapping.reloaded { list.invalidate(row: row.row) }
        // A row that is inserted in the place of a removed one has other content.
        if !callbacks.hasKeys { for row in gone { list.invalidate(row: row) } }
    }
}

extension LineFlow {
    /// The flow that C has given, if it is valid; `name` is how the caller's argument names it.
    init(_ flow: lull_flow, _ name: String) throws(StatusError) {
        let (columns, measure, most) = (Int(flow.columns), flow.measure, Viewport.mostHeight)
        func check(_ value: Double, from least: Double, _ member: String) throws(StatusError) {
            try require(
                least...most ~= value, "\(name)->\(member)", "isn't \(Int(least)) to 65,536")
        }
        let isCounted = flow.rule == LULL_FLOW_COLUMNS || flow.rule == LULL_FLOW_FIXED
        try require(
            !isCounted || 1...1024 ~= columns, "\(name)->columns", "isn't 1 to 1,024")
        if flow.rule != LULL_FLOW_COLUMNS { try check(measure, from: 1, "measure") }
        let rule: Rule
        switch flow.rule {
        case LULL_FLOW_COLUMNS: rule = .columns(columns)
        case LULL_FLOW_ADAPTIVE: rule = .adaptive(minimumWidth: measure)
        case LULL_FLOW_FIXED: rule = .fixed(columns: columns, height: measure)
        case LULL_FLOW_JUSTIFIED: rule = .justified(height: measure)
        default: throw .invalid("\(name)->rule", "is none of lull_flow_rule")
        }
        try check(flow.width, from: 1, "width")
        try check(flow.spacing, from: 0, "spacing")
        try require(0...1 ~= flow.is_horizontal, "\(name)->is_horizontal", "isn't 0 or 1")
        try require(flow.reserved == 0, "\(name)->reserved", "isn't 0")
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
        try unsafe require(
            1...(1 << 24) ~= options.limit, "options->limit", "isn't 1 to 2^24")
        capacity = unsafe Int(options.limit)
        let (least, greatest) = unsafe (options.least_price, options.greatest_price)
        try require(
            greatest >= 0 && greatest.isFinite, "options->greatest_price",
            "isn't a finite number from 0")
        try require(
            0...greatest ~= least, "options->least_price", "isn't a number from 0 to the greatest")
        prices = WorkPrice(secondsInView: least)...WorkPrice(secondsInView: greatest)
        guard unsafe options.byte_limit != Int64(LULL_NONE) else { return }
        try unsafe require(
            options.byte_limit > 0, "options->byte_limit", "isn't more than 0, or LULL_NONE")
        byteLimit = unsafe Int(options.byte_limit)
    }
}

extension lull_list_options {
    /// Returns the rule that the options name.
    fileprivate func loadingPolicy() throws(StatusError) -> any LoadingPolicy {
        try unsafe require(0...1000 ~= margin, "options->margin", "isn't 0 to 1,000")
        switch unsafe rule {
        case LULL_RULE_VALUE: return .value
        case LULL_RULE_VISIBLE: return .visible
        case LULL_RULE_WITHIN: return unsafe .within(rows: Int(margin))
        case LULL_RULE_EVERYTHING: return .everything
        default: throw .invalid("options->rule", "is none of lull_rule")
        }
    }
}

extension Viewport {
    /// The maximum height of a viewport, in px, which bounds the number of rows in view.
    static let mostHeight = 65_536.0
    static let heightProblem = "isn't 0 to 65,536"

    fileprivate init(_ options: lull_list_options, _ callbacks: ListCallbacks) throws(StatusError) {
        let (rows, height) = unsafe (options.rows, options.height)
        try unsafe require(
            callbacks.isMeasure(options.row_height) && options.row_height.isFinite,
            "options->row_height",
            callbacks.hasRatios ? "isn't more than 0" : "isn't 1 or more")
        try require(0...Self.mostHeight ~= height, "options->height", Self.heightProblem)
        try require(
            0..<Int64(ListLayout.maximumCount) ~= rows, "options->rows", "isn't 0 to 2^40 - 1")
        let flow = unsafe try options.flow.map { flow throws(StatusError) in
            unsafe try LineFlow(flow.pointee, "options->flow")
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
        } catch let error as StatusError {
            throw error
        } catch {
            throw .invalid("options->rows", "can't be laid out: \(error)")
        }
    }
}

internal import CLull
internal import DeferredLoading
internal import IdleLoop

/// The callbacks that C has given to a list.
@safe
final class ListCallbacks {
    private let options: lull_list_options
    private let scope: CallbackScope
    /// The inbox of the loop, for what lanes have left.
    let inbox: Inbox
    /// The handle of the list.
    var list = Handle(0)
    /// The works of loads that run anywhere and haven't ended.
    private var works: [ObjectIdentifier: AnywhereWork] = [:]
    /// Whether rows are measured by aspect ratios.
    let hasRatios: Bool
    /// The number of callbacks that are being called, except for loads.
    private var depth = 0
    /// Whether the list was closed: from then on only `drop` is called.
    var isClosed = false

    init(_ options: lull_list_options, _ scope: CallbackScope, _ inbox: Inbox) {
        unsafe self.options = options
        self.inbox = inbox
        hasRatios = unsafe options.flow?.pointee.rule == LULL_FLOW_JUSTIFIED
        self.scope = scope
    }

    /// Whether rows must not change: a callback that was given a row's number is being called.
    var isBusy: Bool { depth > 0 }

    private func call<T>(_ body: () -> T) -> T {
        depth += 1
        defer { depth -= 1 }
        return scope.call(body)
    }

    /// Returns the key of a row's value.
    func key(ofRow row: Int) -> UInt64 {
        guard let key = unsafe options.key else { return UInt64(row) }
        return call { unsafe key(Int64(row), options.context) }
    }

    /// Whether rows have keys other than their numbers.
    var hasKeys: Bool { unsafe options.key != nil }

    /// Returns the measure of a row, its height in px or its aspect ratio; not a number if it is
    /// invalid.
    func height(ofRow row: Int) -> Double {
        guard let height = unsafe options.row_height_of else { return unsafe options.row_height }
        let value = isClosed ? .nan : call { unsafe height(Int64(row), options.context) }
        return isMeasure(value) ? value : .nan
    }

    /// Returns whether a height, or an aspect ratio, is large enough.
    func isMeasure(_ value: Double) -> Bool { hasRatios ? value > 0 : value >= 1 }

    /// Whether rows have heights of their own.
    var hasHeights: Bool { unsafe options.row_height_of != nil }

    /// The function of loads, and their context.
    var load: (body: LoadBody?, context: UnsafeMutableRawPointer?) {
        unsafe (options.load, options.context)
    }

    /// Whether loads run on any thread.
    var loadsAnywhere: Bool { unsafe options.load_anywhere != 0 }

    /// Keeps the work of a load until it has ended.
    func keep(_ work: AnywhereWork) { works[ObjectIdentifier(work)] = work }

    /// Forgets the work of a load that has ended.
    func forget(_ work: AnywhereWork) { works[ObjectIdentifier(work)] = nil }

    /// The works of all loads that haven't ended.
    var unfinished: [AnywhereWork] { Array(works.values) }

    func cost(of key: UInt64) -> Duration? {
        guard !isClosed, let cost = unsafe options.cost else { return nil }
        let value = call { unsafe cost(key, options.context) }
        return value < 0 ? nil : .nanoseconds(value)
    }

    func kind(of key: UInt64) -> WorkKind? {
        guard !isClosed, let kind = unsafe options.kind else { return nil }
        var size = Int64(LULL_NONE)
        let number = call { unsafe kind(key, &size, options.context) }
        return number < 0 ? nil : WorkKind(Int(number), size: size < 0 ? nil : Int(size))
    }

    func show(_ row: Int, _ state: LoadState<CValue>) {
        guard let show = unsafe options.show else { return }
        var shown = unsafe lull_row(row, state)
        call { unsafe show(&shown, options.context) }
    }

    func drop(_ value: UnsafeMutableRawPointer, of key: UInt64) {
        guard let drop = unsafe options.drop else { return }
        call { unsafe drop(key, value, options.context) }
    }

    func load(in slot: borrowing IdleSlot, _ load: inout lull_load) -> lull_progress {
        guard let body = unsafe options.load else { return LULL_FAILED }
        return unsafe scope.load(in: slot, body, &load, options.context)
    }
}

extension lull_row {
    /// The content of a row.
    init(_ row: Int, _ state: LoadState<CValue>) {
        unsafe self.init()
        unsafe size = MemoryLayout<lull_row>.size
        unsafe self.row = Int64(row)
        unsafe value = state.shown?.pointer
        unsafe share = -1
        switch state {
        case .placeholder: unsafe self.state = LULL_ROW_PLACEHOLDER
        case .queued: unsafe self.state = LULL_ROW_QUEUED
        case .fetching: unsafe self.state = LULL_ROW_LOADING
        case .loading(let share):
            unsafe self.state = LULL_ROW_LOADING
            unsafe self.share = share ?? -1
        case .refined(_, let share):
            unsafe self.state = LULL_ROW_REFINED
            unsafe self.share = share ?? -1
        case .loaded: unsafe self.state = LULL_ROW_LOADED
        case .failed(let error, _):
            unsafe self.state = LULL_ROW_FAILED
            unsafe self.error = (error as? RowFailed)?.code ?? 0
        }
    }
}

internal import CLull
internal import DeferredLoading
internal import IdleLoop

/// A value of C's, which is dropped when nobody holds it any more.
@safe
final class GuestValue {
    let pointer: UnsafeMutableRawPointer?
    fileprivate(set) var bytes = 0
    private let key: UInt64
    private let callbacks: ListCallbacks

    fileprivate init(
        _ pointer: UnsafeMutableRawPointer?, of key: UInt64, _ callbacks: ListCallbacks
    ) {
        unsafe self.pointer = pointer
        self.key = key
        self.callbacks = callbacks
    }

    deinit {
        if let pointer = unsafe pointer { unsafe callbacks.drop(pointer, of: key) }
    }
}

/// Loads values by the callbacks of C's.
struct GuestSource: LoadSource {
    let callbacks: ListCallbacks

    func cost(of key: UInt64) -> Duration? { callbacks.cost(of: key) }

    func load(_ key: UInt64, fetched: Never?) -> any Load<GuestValue> {
        GuestLoad(key, callbacks)
    }

    func size(of value: GuestValue) -> Int { value.bytes }
}

/// A load of C's, between its runs.
@safe
private final class GuestLoad: Load {
    /// More than this a value can't have, so that sums don't overflow.
    private static let mostBytes: Int64 = 1 << 36

    private let key: UInt64
    private let callbacks: ListCallbacks
    private var load: lull_load
    /// What the last run has left.
    private var value: GuestValue?
    /// Whether that can be shown, so that the loader counts it.
    private var isShown = false

    init(_ key: UInt64, _ callbacks: ListCallbacks) {
        self.key = key
        self.callbacks = callbacks
        unsafe load = lull_load()
        unsafe load.share = -1
        unsafe load.retry_after = Int64(LULL_NONE)
    }

    var share: Double? { unsafe 0...1 ~= load.share ? load.share : nil }

    var size: Int { isShown ? 0 : value?.bytes ?? 0 }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<GuestValue> {
        var load = unsafe self.load  // whose share may be asked for meanwhile
        unsafe load.size = MemoryLayout<lull_load>.size
        unsafe load.key = key
        let progress = unsafe callbacks.load(in: slot, &load)
        unsafe self.load = load
        let last = value  // which may call back as it goes
        defer { withExtendedLifetime(last) {} }
        let left =
            unsafe value.flatMap { unsafe $0.pointer == load.value ? $0 : nil }
            ?? GuestValue(load.value, of: key, callbacks)
        left.bytes = unsafe Int(min(max(0, load.bytes), Self.mostBytes))
        if left !== last { isShown = false }
        value = left
        switch progress {
        case LULL_DONE: return .done(left)
        case LULL_AGAIN: return .more
        case LULL_REFINED:
            isShown = true
            return .refined(left)
        default: throw unsafe RowFailed(code: load.error, wait: load.retry_after)
        }
    }
}

/// A load of C's said that it failed.
struct RowFailed: RetryableError {
    /// Why, for the host.
    let code: Int32
    /// After how many nanoseconds it's tried again, as C says it.
    let wait: Int64

    func retry(afterFailures failures: Int) -> LoadRetry {
        if wait == 0 { return .later }
        return wait > 0 ? .after(.nanoseconds(wait)) : .never
    }
}

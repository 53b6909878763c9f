internal import CLull
internal import DeferredLoading
internal import IdleLoop

/// A C program's value, which is dropped when it is no longer referenced.
@safe
final class CValue {
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

/// A source that loads values by C callbacks.
struct CSource: LoadSource {
    let callbacks: ListCallbacks

    func cost(of key: UInt64) -> Duration? { callbacks.cost(of: key) }

    func kind(of key: UInt64) -> WorkKind? { callbacks.kind(of: key) }

    func load(_ key: UInt64, fetched: Never?) -> any Load<CValue> {
        CLoad(key, callbacks)
    }

    func size(of value: CValue) -> Int { value.bytes }
}

/// A C program's load, between its runs.
@safe
private final class CLoad: Load {
    /// The maximum size of a value, so that sums don't overflow.
    private static let mostBytes: Int64 = 1 << 36

    private let key: UInt64
    private let callbacks: ListCallbacks
    private var load: lull_load
    /// The value that the last run has left.
    private var value: CValue?
    /// Whether that value can be shown, so that the loader counts it.
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

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<CValue> {
        var load = unsafe self.load  // a copy, since its share may be asked for meanwhile
        unsafe load.size = MemoryLayout<lull_load>.size
        unsafe load.key = key
        let progress = unsafe callbacks.load(in: slot, &load)
        unsafe self.load = load
        let last = value  // its release may call back
        defer { withExtendedLifetime(last) {} }
        let left =
            unsafe value.flatMap { unsafe $0.pointer == load.value ? $0 : nil }
            ?? CValue(load.value, of: key, callbacks)
        left.bytes = unsafe Int(min(max(0, load.bytes), Self.mostBytes))
        if left !== last { isShown = false }
        value = left
        switch progress {
        case LULL_DONE: return .done(left)
        case LULL_AGAIN: return .more
        case LULL_WAITING: return .waiting
        case LULL_REFINED:
            isShown = true
            return .refined(left)
        default: throw unsafe RowFailed(code: load.error, wait: load.retry_after)
        }
    }
}

/// The failure of a C program's load.
struct RowFailed: RetryableError {
    /// The error code, for the host.
    let code: Int32
    /// The delay before the retry in nanoseconds, as C gives it.
    let wait: Int64

    func retry(afterFailures failures: Int) -> LoadRetry {
        if wait == 0 { return .later }
        return wait > 0 ? .after(.nanoseconds(wait)) : .never
    }
}

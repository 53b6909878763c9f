internal import CLull
internal import DeferredLoading
internal import IdleLoop
internal import Synchronization

/// A C program's value, which is dropped when it is no longer referenced.
@safe
final class CValue: Sendable {
    /// The maximum size of a value, so that sums don't overflow.
    private static let mostBytes: Int64 = 1 << 36

    // Written by the thread that makes it, and then by the loop's alone.
    private(set) nonisolated(unsafe) var pointer: UnsafeMutableRawPointer?
    private let size = Atomic(0)
    private let key: UInt64
    // It's called on the loop's thread alone: of a load that runs anywhere, its work sees to that.
    private nonisolated(unsafe) let callbacks: ListCallbacks

    init(_ pointer: UnsafeMutableRawPointer?, of key: UInt64, _ callbacks: ListCallbacks) {
        unsafe self.pointer = pointer
        self.key = key
        unsafe self.callbacks = callbacks
    }

    deinit { drop() }

    /// The size in bytes, as the last run has told it.
    var bytes: Int { size.load(ordering: .relaxed) }

    /// Notes the size that C has told.
    func note(bytes: Int64) {
        size.store(Int(min(max(0, bytes), Self.mostBytes)), ordering: .relaxed)
    }

    /// Drops what it has, unless that was dropped before.
    func drop() {
        if let pointer = unsafe pointer.take() { unsafe callbacks.drop(pointer, of: key) }
    }
}

/// A source that loads values by C callbacks.
struct CSource: LoadSource {
    let callbacks: ListCallbacks

    func cost(of key: UInt64) -> Duration? { callbacks.cost(of: key) }

    func kind(of key: UInt64) -> WorkKind? { callbacks.kind(of: key) }

    func load(_ key: UInt64, fetched: Never?) -> any Load<CValue> {
        callbacks.loadsAnywhere ? AnywhereLoad(key, callbacks) : CLoad(key, callbacks)
    }

    func finish(
        _ key: UInt64, _ load: any Load<CValue>, _ result: Result<CValue, any Error>
    ) throws -> CValue {
        if let load = load as? AnywhereLoad { load.end() }
        return try result.get()
    }

    func size(of value: CValue) -> Int { value.bytes }
}

/// A C program's load, between its runs.
@safe
private final class CLoad: Load {
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
        unsafe load = lull_load(unfinished: ())
    }

    var share: Double? { unsafe 0...1 ~= load.share ? load.share : nil }

    var size: Int { isShown ? 0 : value?.bytes ?? 0 }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<CValue> {
        var load = unsafe self.load  // a copy, since its share may be asked for meanwhile
        unsafe load.identify(key, of: callbacks.list)
        let progress = unsafe callbacks.load(in: slot, &load)
        unsafe self.load = load
        let last = value  // its release may call back
        defer { withExtendedLifetime(last) {} }
        let left =
            unsafe value.flatMap { unsafe $0.pointer == load.value ? $0 : nil }
            ?? CValue(load.value, of: key, callbacks)
        unsafe left.note(bytes: load.bytes)
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

extension lull_load {
    /// A load that hasn't begun.
    init(unfinished: Void) {
        unsafe self.init()
        unsafe share = -1
        unsafe retry_after = Int64(LULL_NONE)
    }

    /// Sets what names the load, before each run.
    mutating func identify(_ key: UInt64, of list: Handle) {
        unsafe size = MemoryLayout<lull_load>.size
        unsafe self.key = key
        unsafe self.list = list.pointer
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

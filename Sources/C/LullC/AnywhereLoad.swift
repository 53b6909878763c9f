internal import CLull
internal import DeferredLoading
internal import IdleLoop
internal import Synchronization

/// A C program's load that any thread may run, as the loader holds it; releasing it cancels the load.
final class AnywhereLoad: SendableLoad {
    private let work: AnywhereWork

    init(_ key: UInt64, _ callbacks: ListCallbacks) {
        work = AnywhereWork(key, callbacks)
        callbacks.keep(work)
    }

    // The last reference may be a lane's, on its way back.
    deinit { work.abandon() }

    var share: Double? { work.share }

    var size: Int { work.size }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<CValue> { try work.step(in: slot) }

    /// Ends the load, which has ended by itself.
    func end() { work.end() }
}

/// The work of a load that any thread may run, with the values that it has stored.
///
/// The list keeps it until it has ended, so that values are dropped on the loop's thread, and not while
/// a lane is inside.
@safe
final class AnywhereWork: Sendable {
    /// The context of the body: of the thread that is inside, and of the loop when the load has ended.
    @safe
    private final class Contents {
        let callbacks: ListCallbacks
        let run: LoadBody?
        let context: UnsafeMutableRawPointer?
        let list: Handle
        var load = unsafe lull_load(unfinished: ())
        /// The values that were stored so far.
        var values: [CValue] = []
        /// The value that the last run has left, for the thread that called it.
        var left: CValue?
        /// Whether the present value can be shown, so that the loader counts it.
        var isShown = false

        init(_ callbacks: ListCallbacks) {
            self.callbacks = callbacks
            unsafe (run, context) = callbacks.load
            list = callbacks.list
        }

        /// Calls C's function, and keeps what it has stored.
        func run(_ slot: OpaquePointer?, _ key: UInt64) -> lull_progress {
            unsafe load.identify(key, of: list)
            let progress = unsafe run?(slot, &load, context) ?? LULL_FAILED
            let last = left.flatMap { unsafe $0.pointer == load.value ? $0 : nil }
            let value = unsafe last ?? CValue(load.value, of: key, callbacks)
            if last == nil {
                values.append(value)
                left = value
                isShown = false
            }
            unsafe value.note(bytes: load.bytes)
            if progress == LULL_REFINED { isShown = true }
            return progress
        }
    }

    let body: AnywhereBody
    // One thread is inside at a time, and the loop's looks only when none is.
    private nonisolated(unsafe) let contents: Contents
    private let inbox: Inbox
    private let bytes = Atomic(0)
    private let finishedPart = Atomic((-1.0).bitPattern)
    // Of the loop's thread.
    private nonisolated(unsafe) var isOver = false

    init(_ key: UInt64, _ callbacks: ListCallbacks) {
        let contents = Contents(callbacks)
        unsafe self.contents = contents
        inbox = callbacks.inbox
        let run: JobBody = { slot, key, context in
            guard let context = unsafe context else { return LULL_FAILED }
            let contents = unsafe Unmanaged<Contents>.fromOpaque(context).takeUnretainedValue()
            return unsafe contents.run(slot, key)
        }
        unsafe body = AnywhereBody(run, key, Unmanaged.passUnretained(contents).toOpaque())
    }

    var share: Double? {
        let share = Double(bitPattern: finishedPart.load(ordering: .relaxed))
        return 0...1 ~= share ? share : nil
    }

    var size: Int { bytes.load(ordering: .relaxed) }

    func step(in slot: borrowing IdleSlot) throws -> LoadStep<CValue> {
        let progress = body.run(in: slot)
        // There is none if the list was closed before the first run.
        guard let value = unsafe contents.left else { return .more }
        unsafe finishedPart.store(contents.load.share.bitPattern, ordering: .relaxed)
        bytes.store(unsafe contents.isShown ? 0 : value.bytes, ordering: .relaxed)
        switch progress {
        case LULL_DONE: return .done(value)
        case LULL_AGAIN: return .more
        case LULL_WAITING: return .waiting
        case LULL_REFINED: return .refined(value)
        default:
            throw unsafe RowFailed(
                code: contents.load.error, wait: contents.load.retry_after)
        }
    }

    /// Ends a load that the loader has released, on whatever thread.
    func abandon() {
        if inbox.isOnOwnThread { return end() }
        inbox.postAnyway { [self] _ in end(dropsAll: true) }
    }

    /// Ends the load, while nobody is inside: what the loader doesn't hold is dropped, or all.
    func end(dropsAll: Bool = false) {
        guard unsafe !isOver else { return }
        unsafe isOver = true
        unsafe contents.callbacks.forget(self)
        let values = unsafe contents.values
        unsafe contents.values = []
        // A lane that has just left may look at what it has left.
        if dropsAll { values.forEach { $0.drop() } } else { unsafe contents.left = nil }
    }
}

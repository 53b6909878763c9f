internal import CGallery
internal import Glibc

/// A timer of the host's base, or a call after the current callbacks have returned.
///
/// It is cancelled on deinitialization.
@safe final class LoopEvent {
    private let body: () -> Void
    private var event: OpaquePointer?

    init(on base: OpaquePointer, _ body: @escaping () -> Void) throws(WebError) {
        self.body = body
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let made = unsafe event_new(
            base, -1, 0,
            { _, _, context in
                guard let context = unsafe context else { return }
                let event = unsafe Unmanaged<LoopEvent>.fromOpaque(context).takeUnretainedValue()
                event.body()
            }, context)
        guard let made = unsafe made else { throw .system(call: "event_new", errno: errno) }
        unsafe event = made
    }

    deinit {
        unsafe event_free(event)
    }

    /// Schedules the call after a delay, replacing an earlier schedule.
    func schedule(after time: Duration) {
        let (seconds, attoseconds) = max(time, .zero).components
        var delay = timeval(
            tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        _ = unsafe event_add(event, &delay)
    }

    /// Schedules the call in this turn, before the base polls again.
    func activate() {
        unsafe event_active(event, Int32(EV_TIMEOUT), 0)
    }

    func cancel() {
        _ = unsafe event_del(event)
    }
}

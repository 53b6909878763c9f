internal import CLibevent
internal import Glibc

/// The one owner of a libevent base, and the only file that calls libevent.
///
/// Made without locks: nothing here is touched from another thread. Timers are not libevent's, as
/// its own are late by 2.4 ms on average and by the length of the last callback.
@safe struct EventBase: ~Copyable {
    private let base: OpaquePointer

    init() throws(LoopError) {
        guard let config = unsafe event_config_new() else {
            throw .system(call: "event_config_new", errno: errno)
        }
        defer { unsafe event_config_free(config) }
        let flags = Int32(EVENT_BASE_FLAG_NOLOCK.rawValue)
        guard unsafe event_config_set_flag(config, flags) == 0,
            let base = unsafe event_base_new_with_config(config)
        else {
            throw .system(call: "event_base_new_with_config", errno: errno)
        }
        unsafe self.base = base
    }

    deinit {
        unsafe event_base_free(base)
    }

    /// Dispatches what is ready, without blocking, and says whether there was anything.
    ///
    /// `NONBLOCK` alone may never return while a descriptor stays ready, so `ONCE` is with it. The
    /// call's own result doesn't tell whether anything ran; the high-water mark of active events
    /// does.
    func poll() throws(LoopError) -> Bool {
        try dispatch(EVLOOP_NONBLOCK | EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY)
        return unsafe event_base_get_max_events(base, UInt32(EVENT_BASE_COUNT_ACTIVE), 1) > 0
    }

    /// Sleeps until something is ready, and dispatches it.
    func wait() throws(LoopError) {
        try dispatch(EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY)
        _ = unsafe event_base_get_max_events(base, UInt32(EVENT_BASE_COUNT_ACTIVE), 1)
    }

    private func dispatch(_ flags: Int32) throws(LoopError) {
        guard unsafe event_base_loop(base, flags) >= 0 else {
            throw .system(call: "event_base_loop", errno: errno)
        }
    }

    /// An event that tells `watch` when a descriptor is ready, again and again.
    func event(
        for descriptor: Int32, readable: Bool, writable: Bool, watch: Watch
    ) throws(LoopError) -> EventHandle {
        var flags = Int16(EV_PERSIST)
        if readable { flags |= Int16(EV_READ) }
        if writable { flags |= Int16(EV_WRITE) }
        return unsafe try EventHandle(base: base, descriptor, flags: flags, watch: watch)
    }

    /// An event that tells `watch` of each signal of this number.
    func event(forSignal number: Int32, watch: Watch) throws(LoopError) -> EventHandle {
        unsafe try EventHandle(
            base: base, number, flags: Int16(EV_SIGNAL | EV_PERSIST), watch: watch)
    }
}

/// The one owner of a libevent event; closes it when it goes.
@safe struct EventHandle: ~Copyable {
    private let event: OpaquePointer

    /// Makes and adds an event.
    ///
    /// The watch must outlive it, and the base too.
    fileprivate init(
        base: OpaquePointer, _ descriptor: Int32, flags: Int16, watch: Watch
    ) throws(LoopError) {
        let context = unsafe Unmanaged.passUnretained(watch).toOpaque()
        let made = unsafe event_new(
            base, descriptor, flags,
            { _, what, context in
                guard let context = unsafe context else { return }
                let watch = unsafe Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
                watch.fire(
                    readable: Int32(what) & EV_READ != 0, writable: Int32(what) & EV_WRITE != 0)
            }, context)
        guard let event = unsafe made else {
            throw .system(call: "event_new", errno: errno)
        }
        guard unsafe event_add(event, nil) == 0 else {
            let code = errno
            unsafe event_free(event)
            throw .system(call: "event_add", errno: code)
        }
        unsafe self.event = event
    }

    deinit {
        unsafe event_free(event)
    }
}

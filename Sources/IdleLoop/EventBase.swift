internal import CLibevent
internal import Glibc

/// The one owner of a libevent base, or a guest on somebody else's; with `EventHandle` the only
/// code that calls libevent.
///
/// A base of our own is made without locks, as nothing here is touched from another thread, and
/// without a cached time, as libevent's timers aren't used: they are late by 2.4 ms on average and
/// by the length of the last callback.
@safe struct EventBase: ~Copyable {
    let base: OpaquePointer
    let isOwn: Bool

    init() throws(LoopError) {
        guard let config = unsafe event_config_new() else {
            throw .system(call: "event_config_new", errno: errno)
        }
        defer { unsafe event_config_free(config) }
        // Where it gets a queue of the kernel's, but no two descriptors for signals, libevent ends
        // the process.
        try checkDescriptors(atLeast: 3)
        let flags = Int32(EVENT_BASE_FLAG_NOLOCK.rawValue | EVENT_BASE_FLAG_NO_CACHE_TIME.rawValue)
        guard unsafe event_config_set_flag(config, flags) == 0,
            let base = unsafe event_base_new_with_config(config)
        else {
            throw .system(call: "event_base_new_with_config", errno: errno)
        }
        unsafe self.base = base
        isOwn = true
    }

    /// A base that somebody else made, runs and frees.
    init(adopting base: OpaquePointer) {
        unsafe self.base = unsafe base
        isOwn = false
    }

    /// The same base once more, as a guest.
    init(guestOn other: borrowing EventBase) {
        unsafe self.init(adopting: other.base)
    }

    deinit {
        if isOwn { unsafe event_base_free(base) }
    }

    // MARK: - A base of our own

    /// Dispatches what is ready, without blocking.
    ///
    /// `NONBLOCK` alone may never return while a descriptor stays ready, so `ONCE` is with it. The
    /// call's result doesn't tell whether anything ran; the watches that fire do.
    func poll() throws(LoopError) {
        try dispatch(EVLOOP_NONBLOCK | EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY)
    }

    /// Sleeps until something is ready, and dispatches it.
    func wait() throws(LoopError) {
        try dispatch(EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY)
    }

    private func dispatch(_ flags: Int32) throws(LoopError) {
        guard unsafe event_base_loop(base, flags) >= 0 else {
            throw .system(call: "event_base_loop", errno: errno)
        }
    }

    /// Makes a kernel queue of the child's own after a fork, and leaves the parent's alone; that of
    /// a host's base the host makes.
    func reinit() throws(LoopError) {
        guard isOwn else { return }
        guard unsafe event_reinit(base) == 0 else {
            throw .system(call: "event_reinit", errno: errno)
        }
    }

    // MARK: - A host's base

    /// Whether, in the pass that called our idle event, something else was active too.
    ///
    /// A host's base usually has one priority only, so that libevent doesn't tell idle from busy.
    func hasOthersActive() -> Bool {
        let flag = UInt32(EVENT_BASE_COUNT_ACTIVE)
        // The most that were active at once since this was asked last.
        let most = unsafe event_base_get_max_events(base, flag, 1)
        let now = unsafe event_base_get_num_events(base, flag)
        return most > 1 || now > 0
    }

    /// Tells the host's base what time it is, or its own next timer would be late by the job that
    /// has just run.
    func updateTime() {
        unsafe event_base_update_cache_time(base)
    }

    /// The number of the least urgent priority, which the host may have changed meanwhile.
    var leastPriority: Int32 { unsafe event_base_get_npriorities(base) - 1 }
}

/// The one owner of a libevent event; closes it when it goes.
@safe struct EventHandle: ~Copyable {
    private let event: UnsafeMutablePointer<event>

    /// What an event waits for, besides its descriptor.
    struct Kind: OptionSet {
        let rawValue: Int16
        static var readable: Kind { Kind(rawValue: Int16(EV_READ)) }
        static var writable: Kind { Kind(rawValue: Int16(EV_WRITE)) }
        static var closed: Kind { Kind(rawValue: Int16(EV_CLOSED)) }
        static var edge: Kind { Kind(rawValue: Int16(truncatingIfNeeded: EV_ET)) }
        static var signal: Kind { Kind(rawValue: Int16(EV_SIGNAL)) }
    }

    /// What libevent calls: with what the descriptor is ready for, and the context.
    typealias Callback = @convention(c) (Int32, Int16, UnsafeMutableRawPointer?) -> Void

    /// Makes and adds an event that calls back, again and again, when a descriptor is ready or a
    /// signal has come.
    ///
    /// What the context stands for must outlive it, and the base too. One that is `isInternal`
    /// doesn't keep a host's loop from ending.
    init(
        on base: borrowing EventBase, _ descriptor: Int32, _ kind: Kind, isInternal: Bool = false,
        context: UnsafeMutableRawPointer, _ callback: @escaping Callback
    ) throws(LoopError) {
        let made = unsafe event_new(
            base.base, descriptor, kind.rawValue | Int16(EV_PERSIST), callback, context)
        guard let event = unsafe made else {
            throw .system(call: "event_new", errno: errno)
        }
        if isInternal { unsafe lull_event_is_internal(event) }
        guard unsafe event_add(event, nil) == 0 else {
            let code = errno
            unsafe event_free(event)
            throw .system(call: "event_add", errno: code)
        }
        unsafe self.event = event
    }

    /// Makes an event that calls back when a host's base has nothing more urgent to do, once each
    /// time it's armed.
    init(
        idleOn base: borrowing EventBase, context: UnsafeMutableRawPointer,
        _ callback: @escaping Callback
    ) throws(LoopError) {
        guard let event = unsafe event_new(base.base, -1, 0, callback, context) else {
            throw .system(call: "event_new", errno: errno)
        }
        unsafe self.event = event
    }

    deinit {
        unsafe event_free(event)
    }

    /// Has the event fire after the next poll, or after so many seconds.
    ///
    /// By a timer of no length, not `event_active`: an event that activates itself is put back on the
    /// queue that is being drained, and the loop would never poll.
    func arm(after seconds: Int = 0) throws(LoopError) {
        var delay = timeval(tv_sec: seconds, tv_usec: 0)
        guard unsafe event_add(event, &delay) == 0 else {
            throw .system(call: "event_add", errno: errno)
        }
    }

    func disarm() {
        _ = unsafe event_del(event)
    }

    /// Gives the event a priority, which must be one of its base's.
    func setPriority(_ priority: Int32) {
        _ = unsafe event_priority_set(event, priority)
    }
}

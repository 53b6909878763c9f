internal import CLullLibevent
internal import LullLibC

/// An owner of a libevent base, or a reference to a host's base; only this and `EventHandle` call
/// libevent.
///
/// An own base is created without locks, because no other thread uses it, and without a cached
/// time, because libevent's timers aren't used: they are late by 2.4 ms on average and by the
/// length of the last callback.
@safe struct EventBase: ~Copyable {
    let base: OpaquePointer
    let isOwn: Bool

    /// Creates an own base; whatever the environment says, it has a kernel queue that is changed at
    /// once, so that `findDescriptor` can find it and a host can wait for it.
    init() throws(LoopError) {
        guard let config = unsafe event_config_new() else {
            throw .system(call: "event_config_new", errno: errno)
        }
        defer { unsafe event_config_free(config) }
        // If libevent gets a kernel queue, but no two descriptors for signals, it ends the process.
        try checkDescriptors(atLeast: 3)
        let flags = [
            EVENT_BASE_FLAG_NOLOCK, EVENT_BASE_FLAG_NO_CACHE_TIME, EVENT_BASE_FLAG_IGNORE_ENV,
        ].reduce(0) { $0 | Int32($1.rawValue) }
        guard unsafe event_config_set_flag(config, flags) == 0,
            let base = unsafe event_base_new_with_config(config)
        else {
            throw .system(call: "event_base_new_with_config", errno: errno)
        }
        unsafe self.base = base
        isOwn = true
    }

    /// Adopts a base that a host made, runs and frees.
    init(adopting base: OpaquePointer) {
        unsafe self.base = unsafe base
        isOwn = false
    }

    deinit {
        if isOwn { unsafe event_base_free(base) }
    }

    // MARK: - An own base

    /// Dispatches ready events, without blocking.
    ///
    /// `NONBLOCK` alone may never return while a descriptor stays ready, so `ONCE` is added. The
    /// result of the libevent call doesn't show whether anything ran; the watches that fire do.
    func poll() throws(LoopError) {
        try dispatch(EVLOOP_NONBLOCK | EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY)
    }

    /// Sleeps until an event is ready, and dispatches it.
    func wait() throws(LoopError) {
        try dispatch(EVLOOP_ONCE | EVLOOP_NO_EXIT_ON_EMPTY)
    }

    private func dispatch(_ flags: Int32) throws(LoopError) {
        guard unsafe event_base_loop(base, flags) >= 0 else {
            throw .system(call: "event_base_loop", errno: errno)
        }
    }

    /// Makes a new kernel queue for a forked child, and leaves the parent's unchanged; a host does
    /// this for its own base.
    func reinit() throws(LoopError) {
        guard isOwn else { return }
        guard unsafe event_reinit(base) == 0 else {
            throw .system(call: "event_reinit", errno: errno)
        }
    }

    /// Finds the descriptor of the kernel queue, which is readable while an event is ready.
    ///
    /// libevent doesn't tell it, but the kernel does: it's the one queue that waits for `member`, a
    /// descriptor of nobody else. The queue was opened shortly before, so that its number is near;
    /// at worst, O(n) in the process's limit of descriptors. Throws if there is no /proc, or no
    /// descriptor to read it with.
    func findDescriptor(watching member: Int32) throws(LoopError) -> Int32 {
        for distance in 1...Int32(clamping: max(1024, sysconf(Int32(_SC_OPEN_MAX)))) {
            for number in [member - distance, member + distance] where isOpen(number) {
                if try isQueue(number, watching: member) { return number }
            }
        }
        throw .system(call: "open /proc/self/fdinfo", errno: ENOENT)
    }

    /// Returns whether a descriptor is a kernel queue that waits for `member`.
    private func isQueue(_ number: Int32, watching member: Int32) throws(LoopError) -> Bool {
        guard let text = fileText("/proc/self/fdinfo/\(number)") else {
            guard errno == ENOENT else {
                throw .system(call: "open /proc/self/fdinfo", errno: errno)
            }
            return false  // another thread has closed it
        }
        return text.split(separator: "\n").contains { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            return words.count > 1 && words[0] == "tfd:" && words[1] == "\(member)"
        }
    }

    // MARK: - A host's base

    /// Returns whether another event was active too in the pass that called our idle event.
    ///
    /// A host's base usually has only one priority, so libevent can't distinguish idle from busy.
    func hasOthersActive() -> Bool {
        let flag = UInt32(EVENT_BASE_COUNT_ACTIVE)
        // The maximum of active events since the last call.
        let most = unsafe event_base_get_max_events(base, flag, 1)
        let now = unsafe event_base_get_num_events(base, flag)
        return most > 1 || now > 0
    }

    /// Updates the host's cached time, as otherwise its next timer would be late by the duration of
    /// the last job.
    func updateTime() {
        unsafe event_base_update_cache_time(base)
    }

    /// The number of the lowest priority, which the host may change at any time.
    var leastPriority: Int32 { unsafe event_base_get_npriorities(base) - 1 }
}

/// The owner of a libevent event, which it frees in `deinit`.
@safe struct EventHandle: ~Copyable {
    private let event: UnsafeMutablePointer<event>

    /// The function that libevent calls, with the conditions that hold for the descriptor, and the
    /// context.
    typealias Callback = @convention(c) (Int32, Int16, UnsafeMutableRawPointer?) -> Void

    /// Creates and adds a persistent event, which calls back whenever a descriptor is ready or a
    /// signal has arrived.
    ///
    /// The object behind the context, and the base, must outlive the event. An event that is
    /// `isInternal` doesn't keep a host's loop running.
    init(
        on base: borrowing EventBase, _ descriptor: Int32, _ conditions: Int16, isInternal: Bool,
        context: UnsafeMutableRawPointer, _ callback: @escaping Callback
    ) throws(LoopError) {
        let made = unsafe event_new(
            base.base, descriptor, conditions | Int16(EV_PERSIST), callback, context)
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

    /// Creates an event that calls back, once each time it's armed, when a host's base has nothing
    /// more urgent to do.
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

    /// Arms the event to fire after the next poll, or after `delay`.
    ///
    /// It uses a timer with zero delay, not `event_active`: an event that activates itself is put
    /// back on the queue that is being drained, and the loop would never poll.
    func arm(after delay: Duration = .zero) throws(LoopError) {
        let (seconds, attoseconds) = delay.components
        var delay = timeval(
            tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        guard unsafe event_add(event, &delay) == 0 else {
            throw .system(call: "event_add", errno: errno)
        }
    }

    func disarm() {
        _ = unsafe event_del(event)
    }

    /// Sets the event's priority, which must be one of its base's.
    func setPriority(_ priority: Int32) {
        _ = unsafe event_priority_set(event, priority)
    }
}

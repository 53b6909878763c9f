import CLibevent
import IdleLoop

/// A libevent base as a host has it, freed with its owner.
@safe final class HostBase {
    let base: OpaquePointer

    init(priorities: Int32 = 1, hasLocks: Bool = false) {
        let config = unsafe event_config_new()
        defer { unsafe event_config_free(config) }
        if !hasLocks {
            unsafe event_config_set_flag(config, Int32(EVENT_BASE_FLAG_NOLOCK.rawValue))
        }
        guard let base = unsafe event_base_new_with_config(config) else {
            preconditionFailure("a base can be made")
        }
        unsafe self.base = base
        if priorities > 1 { setPriorities(priorities) }
    }

    deinit {
        unsafe event_base_free(base)
    }

    func setPriorities(_ count: Int32) {
        precondition(unsafe event_base_priority_init(base, count) == 0, "nothing is active")
    }

    var priorities: Int32 { unsafe event_base_get_npriorities(base) }

    func adopt() throws -> MainLoop {
        try unsafe MainLoop(adopting: base)
    }

    // MARK: - Looping

    /// How a host runs its base.
    enum Way: CaseIterable {
        case dispatch, once, nonblocking, nonblockingOnce

        var flags: Int32 {
            switch self {
            case .dispatch: 0
            case .once: EVLOOP_ONCE
            case .nonblocking: EVLOOP_NONBLOCK
            case .nonblockingOnce: EVLOOP_NONBLOCK | EVLOOP_ONCE
            }
        }
    }

    /// Loops until there are no events or somebody says break or exit: 1 if there are none.
    @discardableResult
    func run(_ way: Way = .dispatch) -> Int32 {
        while true {
            let result = loop(way)
            if result != 0 || way == .dispatch { return result }
            if unsafe event_base_got_break(base) + event_base_got_exit(base) > 0 { return 0 }
        }
    }

    /// One call of `event_base_loop`.
    @discardableResult
    func loop(_ way: Way) -> Int32 {
        unsafe event_base_loop(base, way.flags)
    }

    func breakLoop() {
        unsafe event_base_loopbreak(base)
    }

    func exitLoop() {
        unsafe event_base_loopexit(base, nil)
    }

    // MARK: - Looking

    /// The events that keep a dispatch from ending.
    var pending: Int32 { unsafe event_base_get_num_events(base, UInt32(EVENT_BASE_COUNT_ADDED)) }

    /// All events that are added, also those that keep nothing from ending.
    var all: Int {
        var count = 0
        unsafe event_base_foreach_event(
            base,
            { _, _, count in
                unsafe count?.assumingMemoryBound(to: Int.self).pointee += 1
                return 0
            }, &count)
        return count
    }

    /// The time from which the base computes how long to sleep, in microseconds.
    var cachedTime: Int {
        var time = timeval()
        unsafe event_base_gettimeofday_cached(base, &time)
        return time.tv_sec * 1_000_000 + time.tv_usec
    }
}

/// An event of the host's own, gone with its owner.
@safe final class HostEvent {
    private let host: HostBase
    private let body: (HostEvent) -> Void
    private var event: UnsafeMutablePointer<event>?

    /// An event that isn't added yet, or the one of a descriptor, which is.
    init(
        on host: HostBase, _ descriptor: Int32 = -1, _ what: Int32 = 0, priority: Int32? = nil,
        _ body: @escaping (HostEvent) -> Void
    ) {
        self.host = host
        self.body = body
        unsafe event = event_new(
            host.base, descriptor, Int16(what),
            { _, _, context in
                guard let context = unsafe context else { return }
                let event = unsafe Unmanaged<HostEvent>.fromOpaque(context).takeUnretainedValue()
                event.body(event)
            }, Unmanaged.passUnretained(self).toOpaque())
        if let priority { unsafe event_priority_set(event, priority) }
        if descriptor >= 0 { unsafe event_add(event, nil) }
    }

    deinit {
        unsafe event_free(event)
    }

    func add(after microseconds: Int) {
        var delay = timeval(tv_sec: 0, tv_usec: microseconds)
        unsafe event_add(event, &delay)
    }

    func remove() {
        unsafe event_del(event)
    }

    func activate() {
        unsafe event_active(event, EV_TIMEOUT, 0)
    }
}

/// A loop on a host's base, with a queue that polls after each job.
final class Guest {
    let host: HostBase
    let loop: MainLoop
    let queue: IdleQueue<Int>
    var ran: [Int] = []

    init(
        on host: HostBase = HostBase(),
        _ change: (inout QueueConfiguration) -> Void = { _ in }
    ) throws {
        self.host = host
        loop = try host.adopt()
        var configuration = QueueConfiguration.roomy
        configuration.batch = .zero
        change(&configuration)
        queue = IdleQueue(on: loop, configuration: configuration)
    }

    /// Hands in a job that only says that it ran.
    func submit(_ key: Int, timeout: Duration? = nil) {
        queue.submit(key, timeout: timeout) { [unowned self] _ in
            ran.append(key)
            return .done
        }
    }

    func close() {
        queue.close()
        loop.close()
    }
}

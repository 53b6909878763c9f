import CHostLoops
import CLullLibevent
import IdleLoop
import LoopGLib
import LoopNIO
import LoopSDEvent
import LoopUV
import Testing

/// A kind of loop on which a guest may be.
enum HostKind: CaseIterable, CustomTestStringConvertible {
    case libevent, libevent2, libevent3, glib, sdEvent, uv, poll
    #if NIO
    case nio
    #endif

    /// How many priorities a base of libevent's has.
    var priorities: Int32 {
        switch self {
        case .libevent2: 2
        case .libevent3: 3
        default: 1
        }
    }

    var isLibevent: Bool { functions == nil }

    /// The functions of a loop that isn't libevent's.
    var functions: host_loop_kind? {
        switch self {
        case .libevent, .libevent2, .libevent3: nil
        case .glib: host_loop_glib
        case .sdEvent: host_loop_sd_event
        case .uv: host_loop_uv
        case .poll: host_loop_poll
        #if NIO
        case .nio: host_loop_poll
        #endif
        }
    }

    /// Whether it can tell a pass in which something else was served, or isn't called in it.
    var tellsBusy: Bool {
        #if NIO
        if self == .nio { return false }
        #endif
        return true
    }

    /// Whether one host has several guests.
    var hasSeveralGuests: Bool { self != .poll && tellsBusy }

    var testDescription: String { "\(self)" }
}

/// A loop as a host has it, freed with its owner.
@safe final class HostBase {
    /// A base of libevent's, or another loop, which `functions` use.
    let base: OpaquePointer
    private let functions: host_loop_kind?
    private let kind: HostKind
    /// The events on a loop of another kind, which keep it from ending.
    private var events: [Weak<HostEvent>] = []
    private var guests: [Weak<MainLoop>] = []
    /// The event of a guest that is told last whether a pass has served anything.
    private var processing: HostEvent?
    /// The timer of such a guest.
    private var timer: HostEvent?
    private var hasBroken = false
    private var hasExited = false

    private struct Weak<Object: AnyObject> {
        weak var object: Object?
    }

    /// A loop, in libevent's case with the priorities that its kind has.
    init(_ kind: HostKind = .libevent, hasLocks: Bool = false) {
        self.kind = kind
        functions = kind.functions
        if let functions {
            guard let loop = functions.make() else {
                preconditionFailure("a loop can be made")
            }
            unsafe base = OpaquePointer(loop)
            return
        }
        let config = unsafe event_config_new()
        defer { unsafe event_config_free(config) }
        if !hasLocks {
            unsafe event_config_set_flag(config, Int32(EVENT_BASE_FLAG_NOLOCK.rawValue))
        }
        guard let base = unsafe event_base_new_with_config(config) else {
            preconditionFailure("a base can be made")
        }
        unsafe self.base = base
        if kind.priorities > 1 { setPriorities(kind.priorities) }
    }

    deinit {
        (processing, timer) = (nil, nil)
        if let functions {
            unsafe functions.free_loop(address)
        } else {
            unsafe event_base_free(base)
        }
    }

    private var address: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(base) }

    func setPriorities(_ count: Int32) {
        precondition(unsafe event_base_priority_init(base, count) == 0, "nothing is active")
    }

    /// A guest on it; one of several can be let go of before the others.
    func adopt(inboxCapacity: Int = 65_536) throws -> MainLoop {
        let loop = try make(inboxCapacity)
        guests.append(Weak(object: loop))
        return loop
    }

    private func make(_ inboxCapacity: Int) throws -> MainLoop {
        switch kind {
        case .libevent, .libevent2, .libevent3:
            return unsafe try MainLoop(adopting: base, inboxCapacity: inboxCapacity)
        case .glib:
            return unsafe try MainLoop(onGLib: base, inboxCapacity: inboxCapacity)
        case .sdEvent:
            return unsafe try MainLoop(onSDEvent: base, inboxCapacity: inboxCapacity)
        case .uv:
            return unsafe try MainLoop(onUV: address, inboxCapacity: inboxCapacity)
        case .poll:
            let host = try DescriptorHost()
            let loop = try MainLoop(on: host, inboxCapacity: inboxCapacity)
            processing = HostEvent(on: self, last: host.descriptor) {
                host.process(wasBusy: $0 > 0)
            }
            return loop
        #if NIO
        case .nio:
            let eventLoop = try SteppedEventLoop()
            let loop = try MainLoop(on: eventLoop, inboxCapacity: inboxCapacity)
            let run = { [unowned self] in
                guard let delay = eventLoop.run() else { return }
                timer?.add(after: Int(max(0, delay + 999) / 1000))
            }
            timer = HostEvent(on: self) { _ in run() }
            timer?.isCounted = false
            processing = HostEvent(on: self, last: eventLoop.descriptor) { _ in run() }
            return loop
        #endif
        }
    }

    // MARK: - Looping

    /// How a host runs its loop.
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

        var blocks: Bool { self == .dispatch || self == .once }
    }

    /// Loops until there are no events or somebody says break or exit: 1 if there are none.
    @discardableResult
    func run(_ way: Way = .dispatch) -> Int32 {
        hasBroken = false
        while true {
            let result = loop(way)
            if kind.isLibevent {
                if result != 0 || way == .dispatch { return result }
                if unsafe event_base_got_break(base) + event_base_got_exit(base) > 0 { return 0 }
            } else {
                if hasBroken || hasExited {
                    (hasBroken, hasExited) = (false, false)
                    return 0
                }
                if result != 0 { return result }
            }
        }
    }

    /// One pass; 1 if nothing keeps the loop from ending.
    @discardableResult
    func loop(_ way: Way) -> Int32 {
        guard let functions else { return unsafe event_base_loop(base, way.flags) }
        guard pending > 0 else { return 1 }
        unsafe functions.pass(address, way.blocks ? 1 : 0)
        return pending > 0 ? 0 : 1
    }

    func breakLoop() {
        hasBroken = true
        if kind.isLibevent { unsafe event_base_loopbreak(base) }
    }

    func exitLoop() {
        hasExited = true
        if kind.isLibevent { unsafe event_base_loopexit(base, nil) }
    }

    // MARK: - Looking

    /// The events that keep a dispatch from ending, or what stands for them.
    var pending: Int32 {
        guard let functions else {
            return unsafe event_base_get_num_events(base, UInt32(EVENT_BASE_COUNT_ADDED))
        }
        if let isAlive = unsafe functions.is_alive { return unsafe isAlive(address) }
        let events = events.count { $0.object.map { $0.isEnabled && $0.isCounted } ?? false }
        return Int32(events + guests.count { $0.object?.isPending ?? false })
    }

    /// All events that are added, also those that keep nothing from ending.
    var all: Int {
        if let functions {
            if !guests.contains(where: { $0.object?.isClosed == false }) {
                (processing, timer) = (nil, nil)
            }
            return unsafe Int(functions.count(address))
        }
        var count = 0
        unsafe event_base_foreach_event(
            base,
            { _, _, count in
                unsafe count?.assumingMemoryBound(to: Int.self).pointee += 1
                return 0
            }, &count)
        return count
    }

    /// The time from which libevent computes how long to sleep, in microseconds.
    var cachedTime: Int {
        var time = timeval()
        unsafe event_base_gettimeofday_cached(base, &time)
        return time.tv_sec * 1_000_000 + time.tv_usec
    }

    fileprivate func keep(_ event: HostEvent) {
        events.removeAll { $0.object == nil }
        events.append(Weak(object: event))
    }

    fileprivate func with<Result>(
        _ body: (host_loop_kind, UnsafeMutableRawPointer) -> Result
    ) -> Result? {
        guard let functions else { return nil }
        return unsafe body(functions, address)
    }
}

/// An event of the host's own, gone with its owner.
@safe final class HostEvent {
    private let host: HostBase
    private let body: (HostEvent) -> Void
    private var event: UnsafeMutablePointer<event>?
    /// The event of a loop that isn't libevent's.
    private var other: UnsafeMutableRawPointer?
    private let descriptor: Int32
    private let isPersistent: Bool
    /// Whether it's added, on a loop that isn't libevent's.
    fileprivate private(set) var isEnabled = false
    /// Whether it keeps the loop from ending.
    fileprivate var isCounted = true

    /// An event that isn't added yet, or the one of a descriptor, which is.
    init(
        on host: HostBase, _ descriptor: Int32 = -1, _ what: Int32 = 0,
        _ body: @escaping (HostEvent) -> Void
    ) {
        self.host = host
        self.body = body
        self.descriptor = descriptor
        isPersistent = what & EV_PERSIST != 0
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe other =
            unsafe host.with { functions, loop in
                unsafe functions.event(
                    loop, descriptor, what & EV_WRITE,
                    { context in
                        guard let context = unsafe context else { return }
                        let event = unsafe Unmanaged<HostEvent>.fromOpaque(context)
                            .takeUnretainedValue()
                        event.fire()
                    }, context)
            } ?? nil
        if unsafe other != nil {
            isEnabled = descriptor >= 0
            host.keep(self)
            return
        }
        unsafe event = event_new(
            host.base, descriptor, Int16(what),
            { _, _, context in
                guard let context = unsafe context else { return }
                let event = unsafe Unmanaged<HostEvent>.fromOpaque(context).takeUnretainedValue()
                event.body(event)
            }, context)
        if descriptor >= 0 { unsafe event_add(event, nil) }
    }

    /// The event of a guest that is served last in each pass, with how many others were.
    fileprivate convenience init(
        on host: HostBase, last descriptor: Int32, _ serve: @escaping (Int) -> Void
    ) {
        self.init(on: host, descriptor, EV_READ | EV_PERSIST) { _ in serve(0) }
        isCounted = false
        self.serve = serve
        unsafe host_loop_poll_last(other) { served, context in
            guard let context = unsafe context else { return }
            let event = unsafe Unmanaged<HostEvent>.fromOpaque(context).takeUnretainedValue()
            event.serve?(Int(served))
        }
    }

    private var serve: ((Int) -> Void)?

    deinit {
        if let other = unsafe other {
            _ = unsafe host.with { functions, _ in unsafe functions.free_event(other) }
        } else {
            unsafe event_free(event)
        }
    }

    private func fire() {
        if descriptor < 0 { isEnabled = false } else if !isPersistent { remove() }
        body(self)
    }

    func add(after microseconds: Int) {
        if let other = unsafe other {
            isEnabled = true
            _ = unsafe host.with { functions, _ in unsafe functions.arm(other, Int64(microseconds))
            }
            return
        }
        var delay = timeval(tv_sec: 0, tv_usec: microseconds)
        unsafe event_add(event, &delay)
    }

    func remove() {
        isEnabled = false
        if let other = unsafe other {
            _ = unsafe host.with { functions, _ in unsafe functions.disarm(other) }
        } else {
            unsafe event_del(event)
        }
    }

    /// Makes it active at once, without a poll; libevent only.
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

import CHostLoops
import CLullLibevent
import Glibc
import IdleLoop
import LoopGLib
import LoopSDEvent
import LoopUV

#if NIO
import LoopNIO
import NIOCore
import NIOPosix
#endif

/// A kind of loop that runs on the main thread, by its name.
enum HostKind: String {
    case own, libevent, glib, sdEvent, uv, descriptor, nio
}

/// A loop on the main thread, on which guests may be made until it's stopped.
@MainActor
class Host {
    /// The number of passes so far, as far as the host's loop is run pass by pass.
    private(set) var passes = 0
    private(set) var isStopped = false
    /// What is to be called after so many passes.
    private var later: (passes: Int, body: () -> Void)?

    /// Makes a host of a kind, calls `body` with it, and runs it until it's stopped.
    static func run(_ kind: HostKind, _ body: (Host) throws -> Void) throws {
        switch kind {
        case .own: try OwnHost().run(body)
        case .libevent: try LibeventHost().run(body)
        case .glib: try LibraryHost(host_loop_glib, kind).run(body)
        case .sdEvent: try LibraryHost(host_loop_sd_event, kind).run(body)
        case .uv: try LibraryHost(host_loop_uv, kind).run(body)
        case .descriptor: try PollingHost().run(body)
        case .nio: try runNIO(body)
        }
    }

    func run(_ body: (Host) throws -> Void) throws {
        try body(self)
        while !isStopped {
            passes += 1
            try pass(blocks: later == nil)
            guard let (count, body) = later else { continue }
            later = count > 1 ? (count - 1, body) : nil
            if count == 1 { body() }
        }
    }

    /// Makes a loop on it.
    func makeLoop() throws -> MainLoop { preconditionFailure("each kind has its own") }

    /// Runs the host's loop for one pass.
    func pass(blocks: Bool) throws { preconditionFailure("each kind has its own") }

    /// Calls `body` after so many passes, which don't block.
    func after(passes: Int, _ body: @escaping () -> Void) { later = (passes, body) }

    func stop() { isStopped = true }
}

/// The loop's own.
private final class OwnHost: Host {
    private weak var loop: MainLoop?

    override func makeLoop() throws -> MainLoop {
        let loop = try MainLoop()
        self.loop = loop
        return loop
    }

    override func pass(blocks: Bool) throws {
        if let loop, !loop.isClosed { try loop.run() }
    }

    override func stop() {
        super.stop()
        loop?.stop()
    }
}

@safe private final class LibeventHost: Host {
    private let base = unsafe event_base_new()

    isolated deinit { unsafe event_base_free(base) }

    override func makeLoop() throws -> MainLoop { unsafe try MainLoop(adopting: base) }

    override func pass(blocks: Bool) {
        let way = EVLOOP_NO_EXIT_ON_EMPTY | (blocks ? EVLOOP_ONCE : EVLOOP_NONBLOCK)
        unsafe event_base_loop(base, way)
    }

    // A pass that serves its guest alone isn't one for libevent, which goes on.

    override func after(passes: Int, _ body: @escaping () -> Void) {
        super.after(passes: passes, body)
        unsafe event_base_loopbreak(base)
    }

    override func stop() {
        super.stop()
        unsafe event_base_loopbreak(base)
    }
}

/// GLib, sd-event or libuv, with a pipe that is never ready: without a handle, libuv doesn't wait.
@safe private final class LibraryHost: Host {
    private let functions: host_loop_kind
    private let kind: HostKind
    private let address: UnsafeMutableRawPointer
    private let holder: UnsafeMutableRawPointer?

    init(_ functions: host_loop_kind, _ kind: HostKind) {
        (self.functions, self.kind) = (functions, kind)
        guard let address = functions.make() else { preconditionFailure("a loop can be made") }
        unsafe self.address = address
        var ends: [Int32] = [0, 0]
        precondition(unsafe pipe(&ends) == 0, "a pipe can be made")
        unsafe holder = functions.event(address, ends[0], 0, { _ in }, nil)
    }

    isolated deinit {
        unsafe functions.free_event(holder)
        unsafe functions.free_loop(address)
    }

    override func makeLoop() throws -> MainLoop {
        let pointer = unsafe OpaquePointer(address)
        return switch kind {
        case .glib: unsafe try MainLoop(onGLib: pointer)
        case .sdEvent: unsafe try MainLoop(onSDEvent: pointer)
        default: unsafe try MainLoop(onUV: address)
        }
    }

    override func pass(blocks: Bool) { unsafe functions.pass(address, blocks ? 1 : 0) }
}

private final class PollingHost: Host {
    private var host: DescriptorHost?

    override func makeLoop() throws -> MainLoop {
        let host = try DescriptorHost()
        self.host = host
        return try MainLoop(on: host)
    }

    override func pass(blocks: Bool) {
        var ready = pollfd(fd: host?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&ready, 1, blocks ? -1 : 0)
        host?.process()
    }
}

#if NIO
/// NIO on the main thread: it runs its loop itself.
private final class NIOHost: Host {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    override func makeLoop() throws -> MainLoop { try MainLoop(on: eventLoop) }

    override func after(passes: Int, _ body: @escaping () -> Void) {
        guard passes > 0 else { return body() }
        let this = NIOLoopBound((self, body), eventLoop: eventLoop)
        eventLoop.scheduleTask(in: .milliseconds(1)) {
            MainActor.assumeIsolated { this.value.0.after(passes: passes - 1, this.value.1) }
        }
    }

    override func stop() {
        eventLoop.shutdownGracefully { _ in }
    }
}

extension Host {
    fileprivate static func runNIO(_ body: (Host) throws -> Void) throws {
        var result = Result<Void, any Error>.success(())
        withoutActuallyEscaping(body) { body in
            MultiThreadedEventLoopGroup.withCurrentThreadAsEventLoop { eventLoop in
                MainActor.assumeIsolated {
                    let host = NIOHost(eventLoop)
                    result = Result { try body(host) }
                    if case .failure = result { host.stop() }
                }
            }
        }
        try result.get()
    }
}
#else
extension Host {
    fileprivate static func runNIO(_ body: (Host) throws -> Void) throws {
        preconditionFailure("it's built with the trait")
    }
}
#endif

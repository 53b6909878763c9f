internal import CLullLibevent
internal import LullLibC

/// A watch of each idle pass of a host's base, which libevent provides since 2.2.
///
/// The functions are looked up in the running process, since the headers at build time may be
/// older.
@safe final class PrepareWatch {
    private typealias Callback =
        @convention(c) (
            OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?
        ) -> Void
    private typealias New =
        @convention(c) (
            OpaquePointer?, Callback?, UnsafeMutableRawPointer?
        ) -> OpaquePointer?
    private typealias Free = @convention(c) (OpaquePointer?) -> Void
    private typealias Timeout =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<timeval>?
        ) -> Int32

    private let context: Context
    private let base: OpaquePointer

    /// The watch, and the state that its callback needs.
    @safe private final class Context {
        /// The callback before each sleep; nil after the watch is released.
        var willSleep: (() -> Void)?
        let timeout: Timeout
        private let free: Free
        var watch: OpaquePointer?
        var isPreparing = false
        /// Whether libevent is inside the callback, even if that releases the loop.
        var isCalled = false

        init(_ willSleep: @escaping () -> Void, timeout: Timeout, free: Free) {
            self.willSleep = willSleep
            unsafe self.timeout = unsafe timeout
            unsafe self.free = unsafe free
        }

        deinit {
            if let watch = unsafe watch { unsafe free(watch) }
        }

        func prepare(_ info: OpaquePointer?) {
            guard let willSleep else { return }
            var wait = timeval(tv_sec: 0, tv_usec: 0)
            let isBounded = unsafe timeout(info, &wait) != 0
            guard !isBounded || wait.tv_sec > 0 || wait.tv_usec > 0 else { return }
            isPreparing = true
            willSleep()
            isPreparing = false
        }
    }

    /// Creates a watch that calls `willSleep` when the host's loop is about to sleep; nil if
    /// libevent is older than 2.2.
    init?(
        on base: borrowing EventBase, _ willSleep: @escaping () -> Void
    ) throws(LoopError) {
        guard let new = unsafe dlsym(nil, "evwatch_prepare_new"),
            let free = unsafe dlsym(nil, "evwatch_free"),
            let timeout = unsafe dlsym(nil, "evwatch_prepare_get_timeout")
        else { return nil }
        unsafe self.base = base.base
        context = unsafe Context(
            willSleep, timeout: unsafeBitCast(timeout, to: Timeout.self),
            free: unsafeBitCast(free, to: Free.self))
        let made = unsafe unsafeBitCast(new, to: New.self)(
            base.base,
            { _, info, context in
                guard let context = unsafe context else { return }
                let called = unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
                called.isCalled = true
                unsafe called.prepare(info)
                called.isCalled = false
            }, Unmanaged.passUnretained(context).toOpaque())
        guard let watch = unsafe made else {
            throw .system(call: "evwatch_prepare_new", errno: errno)
        }
        unsafe context.watch = watch
    }

    deinit {
        context.willSleep = nil
        guard context.isCalled else { return }
        // libevent goes on from this watch to the next: it's freed in the next pass.
        var soon = timeval(tv_sec: 0, tv_usec: 0)
        let kept = unsafe Unmanaged.passRetained(context).toOpaque()
        _ = unsafe event_base_once(
            base, -1, Int16(EV_TIMEOUT),
            { _, _, kept in
                guard let kept = unsafe kept else { return }
                unsafe Unmanaged<Context>.fromOpaque(kept).release()
            }, kept, &soon)
    }

    /// Whether the host's loop is about to sleep and has computed its timeout.
    var isPreparing: Bool { context.isPreparing }
}

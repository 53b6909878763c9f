internal import CLibevent
internal import Glibc

/// A look at each idle pass of a host's base, which libevent gives from 2.2 on.
///
/// The functions are looked for in the process that runs, as the headers that this is built with
/// may be older.
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
    private let watch: OpaquePointer
    private let free: Free

    /// What the callback needs to know.
    @safe private final class Context {
        unowned let loop: MainLoop
        let timeout: Timeout
        var isPreparing = false

        init(loop: MainLoop, timeout: Timeout) {
            self.loop = loop
            unsafe self.timeout = unsafe timeout
        }

        func prepare(_ info: OpaquePointer?) {
            var wait = timeval(tv_sec: 0, tv_usec: 0)
            let isBounded = unsafe timeout(info, &wait) != 0
            guard !isBounded || wait.tv_sec > 0 || wait.tv_usec > 0 else { return }
            isPreparing = true
            loop.hostWillSleep()
            isPreparing = false
        }
    }

    /// Nil where libevent is older than 2.2.
    init?(on base: borrowing EventBase, loop: MainLoop) throws(LoopError) {
        guard let new = unsafe dlsym(nil, "evwatch_prepare_new"),
            let free = unsafe dlsym(nil, "evwatch_free"),
            let timeout = unsafe dlsym(nil, "evwatch_prepare_get_timeout")
        else { return nil }
        unsafe self.free = unsafe unsafeBitCast(free, to: Free.self)
        context = unsafe Context(loop: loop, timeout: unsafeBitCast(timeout, to: Timeout.self))
        let made = unsafe unsafeBitCast(new, to: New.self)(
            base.base,
            { _, info, context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue().prepare(info)
            }, Unmanaged.passUnretained(context).toOpaque())
        guard let watch = unsafe made else {
            throw .system(call: "evwatch_prepare_new", errno: errno)
        }
        unsafe self.watch = watch
    }

    deinit {
        unsafe free(watch)
    }

    /// Whether the host's loop is about to sleep and has computed for how long.
    var isPreparing: Bool { context.isPreparing }
}

extension MainLoop {
    /// Called by libevent 2.2 when the host's loop is about to sleep.
    func hostWillSleep() {
        guard !isClosed else { return }
        wakeUp()  // another pass of the host's has come and gone unseen
        enter()
        notify(.beforeIdle)
        fallAsleep()
        leave()
    }
}

internal import CLull
internal import CLullPictures
internal import IdleLoop
internal import LullCalls
internal import LullLibC

/// What goes on when something that a load waits for is there: its job, or its row.
enum Resumption: Sendable {
    case job(UInt64, queue: UInt)
    case row(UInt64, list: UInt)

    /// Lets the load go on, on the loop's thread.
    func resume() {
        keepingError {
            switch self {
            case .job(let key, let queue):
                _ = unsafe lull_resume(OpaquePointer(bitPattern: queue), key)
            case .row(let key, let list):
                _ = unsafe lull_list_resume(OpaquePointer(bitPattern: list), key)
            }
        }
    }
}

/// A closure that is called on a loop's thread, posted by another.
struct LoopCall {
    private let body: () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Posts the call, whatever thread this is; it isn't called if the loop was closed.
    func post(to loop: UInt) {
        let passed = unsafe Passed.retained(self)
        let status = unsafe Self.post(passed, to: loop)
        guard status == LULL_FULL else {
            if status != LULL_OK { unsafe Passed<LoopCall>.release(passed) }
            return
        }
        // The program has posted more than its loop has called: try again, without waiting here.
        let number = UInt(bitPattern: passed)
        let code = startThread {
            let passed = unsafe UnsafeMutableRawPointer(bitPattern: number)
            var status = LULL_FULL
            while status == LULL_FULL {
                usleep(1000)
                status = unsafe Self.post(passed, to: loop)
            }
            if status != LULL_OK { unsafe Passed<LoopCall>.release(passed) }
        }
        if code != 0 { unsafe Passed<LoopCall>.release(passed) }
    }

    private static func post(_ passed: UnsafeMutableRawPointer?, to loop: UInt) -> lull_status {
        keepingError {
            unsafe lull_post(
                OpaquePointer(bitPattern: loop),
                { _, passed in unsafe Passed<LoopCall>.take(passed)?.body() }, passed)
        }
    }
}

/// Calls Lull for a purpose of one's own: the program's last error stays as it is.
func keepingError<Result>(_ body: () -> Result) -> Result {
    let text = unsafe String(cString: lull_last_error())
    let code = errno
    defer {
        unsafe lull_set_last_error(text)
        errno = code
    }
    return body()
}

/// A value that a C function is given as its context.
final class Passed<Value> {
    private let value: Value

    private init(_ value: Value) { self.value = value }

    /// Returns a pointer to a copy of the value.
    static func retained(_ value: Value) -> UnsafeMutableRawPointer {
        unsafe Unmanaged.passRetained(Passed(value)).toOpaque()
    }

    /// Returns the value.
    static func value(_ pointer: UnsafeMutableRawPointer?) -> Value? {
        unsafe pointer.map { unsafe Unmanaged<Passed>.fromOpaque($0).takeUnretainedValue().value }
    }

    /// Returns the value, and releases it.
    static func take(_ pointer: UnsafeMutableRawPointer?) -> Value? {
        unsafe pointer.map { unsafe Unmanaged<Passed>.fromOpaque($0).takeRetainedValue().value }
    }

    /// Releases the value.
    static func release(_ pointer: UnsafeMutableRawPointer?) { _ = unsafe take(pointer) }
}

/// A number of places, for which loads wait: when one is free, the most urgent of them takes it.
///
/// All that wait are resumed, and their queues know the order.
final class Places: Sendable {
    private struct State: Sendable {
        var free: Int
        var waiting: [Resumption] = []
    }

    private let state: Guarded<State>

    init(_ count: Int) { state = Guarded(State(free: count)) }

    /// Takes a place, or has the load resumed when one is free, if it is to wait.
    func take(orResume load: Resumption?) -> Bool {
        state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return true
            }
            if let load { state.waiting.append(load) }
            return false
        }
    }

    /// Frees a place, and returns the loads that are to be resumed.
    func free() -> [Resumption] {
        state.withLock { state in
            state.free += 1
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}

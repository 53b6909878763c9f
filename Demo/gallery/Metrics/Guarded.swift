internal import Synchronization

/// A value that threads share under a lock.
///
/// It's a `Mutex`, which the thread sanitizer can't see into: its code isn't instrumented. With
/// `THREAD_SANITIZER` defined each critical section also acquires and releases an atomic, which
/// tells the sanitizer of the order that the lock makes, and of no other.
struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    #if THREAD_SANITIZER
    private let sections = Atomic<Int>(0)
    #endif

    init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Runs `body` while no other thread has the value.
    func withLock<Result: Sendable>(_ body: (inout sending Value) -> Result) -> Result {
        mutex.withLock { value in
            #if THREAD_SANITIZER
            _ = sections.load(ordering: .acquiring)
            defer { sections.add(1, ordering: .releasing) }
            #endif
            return body(&value)
        }
    }
}

internal import Synchronization

/// A value that threads share under a lock.
///
/// The lock is a `Mutex`, whose code isn't instrumented for the thread sanitizer. With
/// `THREAD_SANITIZER` defined, each critical section also acquires and releases an atomic. This
/// shows the sanitizer the order that the lock establishes, and no other.
package struct Guarded<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    #if THREAD_SANITIZER
    private let sections = Atomic<Int>(0)
    #endif

    package init(_ value: consuming sending Value) {
        mutex = Mutex(value)
    }

    /// Runs `body` under the lock; returns nil if another thread holds it.
    package func withLockIfAvailable<Result: Sendable>(
        _ body: (inout sending Value) -> Result
    ) -> Result? {
        mutex.withLockIfAvailable { value in
            #if THREAD_SANITIZER
            _ = sections.load(ordering: .acquiring)
            defer { sections.add(1, ordering: .releasing) }
            #endif
            return body(&value)
        }
    }

    /// Runs `body` under the lock.
    package func withLock<Result: Sendable>(_ body: (inout sending Value) -> Result) -> Result {
        mutex.withLock { value in
            #if THREAD_SANITIZER
            _ = sections.load(ordering: .acquiring)
            defer { sections.add(1, ordering: .releasing) }
            #endif
            return body(&value)
        }
    }
}

/// A part of an object that is confined to one thread, without the checks that each access to a
/// class's property pays for.
///
/// Those checks, about 10 ns each, look for an access inside another to the same thing. There's none
/// here as long as nobody calls out from inside a change: what a cell holds is a value that changes
/// itself and calls nobody. A closure that is taken out is handed out, so that it's let go of
/// afterwards: what it holds may have a `deinit` that calls. Debug builds check all this.
@safe @usableFromInline
struct Cell<Value: ~Copyable>: ~Copyable {
    #if DEBUG
        private final class Box {
            var value: Value
            init(_ value: consuming Value) { self.value = value }
        }

        private let box: Box

        init(_ value: consuming Value) {
            box = Box(value)
        }

        @usableFromInline var value: Value {
            _read { yield box.value }
            nonmutating _modify { yield &box.value }
        }
    #else
        @usableFromInline let pointer: UnsafeMutablePointer<Value>

        init(_ value: consuming Value) {
            unsafe pointer = .allocate(capacity: 1)
            unsafe pointer.initialize(to: value)
        }

        deinit {
            unsafe pointer.deinitialize(count: 1)
            unsafe pointer.deallocate()
        }

        @inlinable @inline(__always)
        var value: Value {
            unsafeAddress { unsafe UnsafePointer(pointer) }
            nonmutating unsafeMutableAddress { unsafe pointer }
        }
    #endif
}

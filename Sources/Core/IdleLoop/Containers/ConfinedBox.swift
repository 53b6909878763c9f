/// A mutable value of an object that is confined to one thread, without the exclusivity checks of a
/// class's property.
///
/// Those checks cost about 10 ns each and detect overlapping accesses to the same property. No
/// accesses overlap here as long as no change calls outside code: the value in a cell mutates
/// itself and calls nothing. A closure that is removed is returned to the caller and released after
/// the change, because what it captures may have a `deinit` that calls back. Debug builds check all
/// this.
@safe @usableFromInline
struct ConfinedBox<Value: ~Copyable>: ~Copyable {
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

internal import LullLibC

/// A growable array in its own memory, for tables that may hold up to a million values.
///
/// It grows by `realloc`, which remaps the pages of a large array instead of copying them: touching
/// fresh pages costs more than all other work on their contents.
///
/// ```swift
/// var places = Buffer<UInt32>()
/// places.append(7)
/// places[0]  // 7
/// ```
@safe
struct Buffer<Element: ~Copyable>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>?
    /// The number of values.
    private(set) var count = 0
    private var capacity = 0
    /// The number of unused places before the first value.
    private let lead: Int

    /// Creates an empty buffer with `lead` unused places before the first value.
    ///
    /// A large buffer begins 16 bytes into a page. The lead therefore determines how the values are
    /// aligned to cache lines.
    init(lead: Int = 0) {
        self.lead = lead
    }

    deinit {
        guard let base = unsafe base else { return }
        unsafe base.deinitialize(count: count)
        unsafe free(base - lead)
    }

    var isEmpty: Bool { count == 0 }

    @inline(__always)
    subscript(index: Int) -> Element {
        unsafeAddress {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "a value that is there")
            return unsafe UnsafePointer(base.unsafelyUnwrapped + index)
        }
        unsafeMutableAddress {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "a value that is there")
            return unsafe base.unsafelyUnwrapped + index
        }
    }

    /// Appends a value.
    ///
    /// O(1) amortized.
    @inline(__always)
    mutating func append(_ value: consuming Element) {
        if count == capacity { grow() }
        unsafe (base.unsafelyUnwrapped + count).initialize(to: value)
        count &+= 1
    }

    /// Removes and returns the last value; the buffer must not be empty.
    @inline(__always)
    mutating func removeLast() -> Element {
        precondition(count > 0, "a value that is there")
        count &-= 1
        return unsafe (base.unsafelyUnwrapped + count).move()
    }

    /// Removes all values and keeps the memory.
    mutating func removeAll() {
        while !isEmpty { _ = removeLast() }
    }

    @inline(never)
    private mutating func grow() {
        let larger = max(16, 2 * capacity)
        let size = (larger + lead) * MemoryLayout<Element>.stride
        // Swift's values are bitwise-movable.
        guard let memory = unsafe realloc(base.map { unsafe $0 - lead }, size) else {
            fatalError("out of memory: \(size) bytes")  // as for an array
        }
        unsafe base = memory.bindMemory(to: Element.self, capacity: larger + lead) + lead
        capacity = larger
    }
}

internal import Glibc

/// A growing list in memory of its own, for tables that may come to hold a million values.
///
/// It grows by `realloc`, so that a large one has its pages moved and nothing copied: touching fresh
/// pages costs more than all that is done with what lies in them.
///
/// ```swift
/// var places = Buffer<UInt32>()
/// places.append(7)
/// places[0]  // 7
/// ```
@safe
struct Buffer<Element: ~Copyable>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>?
    /// How many values there are.
    private(set) var count = 0
    private var capacity = 0
    /// How many values' room is left free before the first one.
    private let lead: Int

    /// An empty list, with room for `lead` values before the first one.
    ///
    /// A large one begins 16 bytes into a page: so the values lie as one likes in the lines of the
    /// processor's cache.
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

    /// Adds a value at the end.
    ///
    /// O(1) amortized.
    @inline(__always)
    mutating func append(_ value: consuming Element) {
        if count == capacity { grow() }
        unsafe (base.unsafelyUnwrapped + count).initialize(to: value)
        count &+= 1
    }

    /// Takes the last value out; there must be one.
    @inline(__always)
    mutating func removeLast() -> Element {
        precondition(count > 0, "a value that is there")
        count &-= 1
        return unsafe (base.unsafelyUnwrapped + count).move()
    }

    /// Takes all values out, and keeps the memory.
    mutating func removeAll() {
        while !isEmpty { _ = removeLast() }
    }

    @inline(never)
    private mutating func grow() {
        let larger = max(16, 2 * capacity)
        let size = (larger + lead) * MemoryLayout<Element>.stride
        // Swift's values may be moved bit by bit.
        guard let memory = unsafe realloc(base.map { unsafe $0 - lead }, size) else {
            fatalError("out of memory: \(size) bytes")  // as for an array
        }
        unsafe base = memory.bindMemory(to: Element.self, capacity: larger + lead) + lead
        capacity = larger
    }
}

extension Buffer where Element: BitwiseCopyable {
    /// The same values in memory of their own.
    ///
    /// O(n).
    func copy() -> Buffer {
        var other = Buffer(lead: lead)
        for index in 0..<count { other.append(self[index]) }
        return other
    }
}

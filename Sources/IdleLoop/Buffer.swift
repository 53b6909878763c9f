internal import CLibevent
internal import Glibc

/// A growing list in memory of its own, for tables that may come to hold a million values.
///
/// It begins on a line of the processor's cache, it grows by moving its values rather than by
/// copying them, and once it is large it asks for pages of 2 MB: the first touch of a page of 4 KB
/// costs more than all that is done with what lies in it.
///
/// ```swift
/// var places = Buffer<UInt32>()
/// places.append(7)
/// places[0]  // 7
/// ```
@safe
struct Buffer<Element>: ~Copyable {
    private var base: UnsafeMutablePointer<Element>?
    /// How many values there are.
    private(set) var count = 0
    private var capacity = 0
    /// How many values would fit between the line's begin and the first one.
    private let lead: Int

    /// An empty list, of which the value at `lead` before the first would begin a line.
    init(lead: Int = 0) {
        self.lead = lead
    }

    deinit {
        guard let base = unsafe base else { return }
        unsafe base.deinitialize(count: count)
        unsafe Self.release(base - lead, size(of: capacity))
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

    @inline(never)
    private mutating func grow() {
        let larger = max(16, 2 * capacity)
        let (old, new) = (size(of: capacity), size(of: larger))
        let memory: UnsafeMutableRawPointer?
        if old >= Self.page, let base = unsafe base {
            unsafe memory = lull_remap(base - lead, old, new)
        } else {
            unsafe memory = Self.allocate(new)
        }
        // As for an array.
        guard let memory = unsafe memory else { fatalError("out of memory: \(new) bytes") }
        let moved = unsafe memory.bindMemory(to: Element.self, capacity: larger + lead) + lead
        if old < Self.page, let base = unsafe base {
            unsafe moved.moveInitialize(from: base, count: count)
            unsafe Self.release(base - lead, old)
        }
        unsafe base = moved
        capacity = larger
    }

    /// The bytes that so many values take, in whole pages if they are many.
    private func size(of capacity: Int) -> Int {
        let size = (capacity + lead) * MemoryLayout<Element>.stride
        return size < Self.page ? size : (size + Self.page - 1) & -Self.page
    }

    private static var page: Int { 2 << 20 }
    private static var line: Int { 64 }

    private static func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        guard size < page else { return unsafe lull_map(size) }
        var memory: UnsafeMutableRawPointer?
        return unsafe posix_memalign(&memory, line, size) == 0 ? memory : nil
    }

    private static func release(_ memory: UnsafeMutablePointer<Element>, _ size: Int) {
        if size < page {
            unsafe free(memory)
        } else {
            _ = unsafe munmap(memory, size)
        }
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

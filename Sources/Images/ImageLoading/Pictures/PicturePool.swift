internal import CLullPictureCodecs
internal import LullLibC
internal import Synchronization

/// Freed memory of pictures, for other pictures.
///
/// Each block lies in a slot of its size. Whoever exchanges a slot's address for zero has the block, so
/// that a thread that stops in the middle of a step delays nobody.
@safe final class PicturePool: Sendable {
    /// The sizes of blocks: up to four pages, then four sizes between a power of two and the next.
    enum SizeClass {
        static let count = 52
        static let page = 4096

        /// Returns the class of blocks with room for some bytes, and their size; those from 64 MB have
        /// no class.
        static func find(_ bytes: Int) -> (number: Int?, size: Int) {
            let pages = max(1, (bytes + page - 1) / page)
            let octave = max(2, Int.bitWidth - 1 - (pages - 1).leadingZeroBitCount)
            let quarter = (pages - 1) >> (octave - 2) + 1
            let number = 4 * octave + quarter - 9
            return (number < count ? number : nil, quarter << (octave - 2) * page)
        }

        /// Returns the size of the blocks of a class.
        static func size(_ number: Int) -> Int {
            number < 4 ? (number + 1) * page : (number % 4 + 5) << (number / 4 - 1) * page
        }
    }

    static let shared = PicturePool(limit: 64 << 20)

    /// The number of slots of a class.
    private static let width = 16
    private let slots = InlineArray<832, Atomic<UInt>> { _ in Atomic(0) }
    private let kept = Atomic(0)
    private let most: Atomic<Int>
    /// The slot from which the next block that has no room any more is taken.
    private let hand = Atomic<UInt>(0)

    init(limit: Int) { most = Atomic(limit) }

    deinit { trim(to: 0) }

    /// The maximum number of bytes in the pool.
    var limit: Int {
        get { most.load(ordering: .relaxed) }
        set {
            most.store(newValue, ordering: .relaxed)
            trim(to: newValue)
        }
    }

    /// The number of bytes in the pool.
    var byteCount: Int { kept.load(ordering: .relaxed) }

    /// Returns a block with room for a number of bytes, whose content is arbitrary; nil if there is no
    /// memory.
    ///
    /// One that is needed for a short time may be far larger, so that a few serve pictures of all sizes.
    func take(_ bytes: Int, isTemporary: Bool = false) -> UnsafeMutableRawBufferPointer? {
        let (number, size) = SizeClass.find(bytes)
        if let number {
            let end = isTemporary ? min(number + 12, SizeClass.count) : number + 1
            for slot in number * Self.width..<end * Self.width {
                guard let block = unsafe take(from: slot) else { continue }
                unsafe picture_memory_use(block.baseAddress, bytes, block.count)
                return unsafe block
            }
        }
        let block = unsafe mmap(
            nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard Int(bitPattern: block) != -1 else { return nil }
        unsafe picture_memory_use(block, bytes, size)
        return unsafe UnsafeMutableRawBufferPointer(start: block, count: size)
    }

    /// Keeps a block that was taken for others, or returns it to the system.
    func put(_ block: UnsafeMutableRawBufferPointer) {
        let size = block.count
        guard let number = SizeClass.find(size).number, size <= limit else {
            return unsafe unmap(block)
        }
        kept.add(size, ordering: .relaxed)
        trim(to: limit)
        let address = UInt(bitPattern: block.baseAddress)
        unsafe picture_memory_use(block.baseAddress, 0, size)
        if byteCount <= limit {
            for slot in number * Self.width..<(number + 1) * Self.width
            where slots[slot].load(ordering: .relaxed) == 0 {
                let (isPut, _) = slots[slot].compareExchange(
                    expected: 0, desired: address, ordering: .releasing)
                if isPut { return }
            }
        }
        kept.subtract(size, ordering: .relaxed)
        unsafe unmap(block)
    }

    /// Returns blocks to the system until at most so many bytes are left.
    func trim(to bytes: Int) {
        for _ in 0..<slots.count where byteCount > bytes {
            let slot = Int(hand.add(1, ordering: .relaxed).oldValue % UInt(slots.count))
            if let block = unsafe take(from: slot) { unsafe unmap(block) }
        }
    }

    private func take(from slot: Int) -> UnsafeMutableRawBufferPointer? {
        guard slots[slot].load(ordering: .relaxed) != 0 else { return nil }
        let address = slots[slot].exchange(0, ordering: .acquiring)
        guard let start = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return nil }
        let size = SizeClass.size(slot / Self.width)
        kept.subtract(size, ordering: .relaxed)
        return unsafe UnsafeMutableRawBufferPointer(start: start, count: size)
    }

    private func unmap(_ block: UnsafeMutableRawBufferPointer) {
        unsafe picture_memory_use(block.baseAddress, block.count, block.count)
        let code = unsafe munmap(block.baseAddress, block.count)
        precondition(code == 0, "a block of the pool's is mapped")
    }
}

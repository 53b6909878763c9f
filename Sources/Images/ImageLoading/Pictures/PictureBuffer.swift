internal import LullLibC

/// The bytes of a picture, in memory that threads share without a lock.
///
/// A lane or a worker makes a picture, and the main loop frees it. Memory from `malloc` has a lock that
/// a thread without a processor may hold, on which the loop would wait. This memory is mapped instead,
/// and reused, as new pages cost more than some decoding: freed memory is kept up to
/// ``reusableBytes``.
///
/// ```swift
/// let red = picture.pixels.span[0]
/// let bytes = Array(picture.pixels)
/// ```
///
/// The bytes are in one piece, so that `Data` or a `ByteBuffer` of NIO's can be written in one step. Copies
/// share memory, as those of an array do. For access to many bytes use ``span``, which is fast.
@safe public struct PictureBuffer: Sendable {
    /// A block of mapped memory, which the pool has next.
    @safe private final class Block: Sendable {
        // The bytes are written only while one buffer alone has the block.
        nonisolated(unsafe) let start: UnsafeMutablePointer<UInt8>
        let capacity: Int

        init(_ count: Int) {
            guard let block = unsafe PicturePool.shared.take(count) else {
                preconditionFailure("there is memory for a picture")
            }
            unsafe start = block.baseAddress!.assumingMemoryBound(to: UInt8.self)
            capacity = count
        }

        deinit {
            let size = PicturePool.SizeClass.find(capacity).size
            unsafe PicturePool.shared.put(UnsafeMutableRawBufferPointer(start: start, count: size))
        }
    }

    /// The memory; nil if there are no bytes.
    private var block: Block?
    /// The number of bytes.
    public private(set) var count = 0

    /// The maximum number of bytes of freed memory that are kept for other pictures: 64 MB by default.
    public static var reusableBytes: Int {
        get { PicturePool.shared.limit }
        set { PicturePool.shared.limit = newValue }
    }

    /// Creates an empty buffer with room for a number of bytes.
    package init(capacity: Int = 0) {
        if capacity > 0 { block = Block(capacity) }
    }

    /// Creates a buffer of some bytes.
    ///
    /// They are copied, unless they are in such a buffer already.
    public init(_ bytes: some Collection<UInt8>) {
        if let buffer = bytes as? PictureBuffer {
            self = buffer
            return
        }
        self.init(capacity: bytes.count)
        append(addingCapacity: bytes.count) { output in
            unsafe output.withUnsafeMutableBufferPointer { room, count in
                count = unsafe room.update(fromContentsOf: bytes)
            }
        }
    }

    /// The bytes, for reading.
    public var span: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            let span = unsafe UnsafeBufferPointer(start: block?.start, count: count).span
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The bytes, for writing.
    package var mutableSpan: MutableSpan<UInt8> {
        @_lifetime(&self)
        mutating get {
            reserve(count)
            let span = unsafe UnsafeMutableBufferPointer(start: block?.start, count: count)
                .mutableSpan
            return unsafe _overrideLifetime(span, mutating: &self)
        }
    }

    /// Appends bytes that a closure writes, at most as many as `capacity` says.
    package mutating func append<Failure>(
        addingCapacity capacity: Int,
        initializingWith body: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        guard capacity > 0 else { return }
        reserve(count + capacity)
        let room = unsafe UnsafeMutableBufferPointer(start: block!.start + count, count: capacity)
        var output = unsafe OutputSpan(buffer: room, initializedCount: 0)
        try body(&output)
        count += unsafe output.finalize(for: room)
    }

    /// Appends some bytes.
    package mutating func append(_ bytes: Span<UInt8>) {
        append(addingCapacity: bytes.count) { output in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe output.withUnsafeMutableBufferPointer { room, count in
                    count = unsafe room.update(fromContentsOf: bytes)
                }
            }
        }
    }

    /// Appends zeros.
    package mutating func appendZeros(_ count: Int) {
        append(addingCapacity: count) { $0.append(repeating: 0, count: count) }
    }

    /// Makes the memory the buffer's own, with room for so many bytes in all.
    private mutating func reserve(_ needed: Int) {
        let capacity = block?.capacity ?? 0
        if needed <= capacity, isKnownUniquelyReferenced(&block) || needed == 0 { return }
        let larger = Block(needed > capacity ? Swift.max(needed, 2 * capacity) : capacity)
        if let block { unsafe larger.start.update(from: block.start, count: count) }
        block = larger
    }
}

extension PictureBuffer: Equatable {
    /// Returns whether two buffers have the same bytes.
    public static func == (one: PictureBuffer, other: PictureBuffer) -> Bool {
        guard one.count == other.count, let block = one.block, let others = other.block,
            block !== others
        else { return one.count == other.count }
        return unsafe memcmp(block.start, others.start, one.count) == 0
    }
}

extension PictureBuffer: RandomAccessCollection {
    /// The index of the first byte: 0.
    public var startIndex: Int { 0 }
    /// The index after the last byte: their number.
    public var endIndex: Int { count }
    /// The byte at an index.
    public subscript(index: Int) -> UInt8 { span[index] }

    /// Calls a closure with the bytes, which are in one piece.
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        try unsafe span.withUnsafeBufferPointer { bytes in try unsafe body(bytes) }
    }
}

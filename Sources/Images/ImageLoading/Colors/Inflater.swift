import CLullZlib

/// A decompressor of zlib's format, which returns a requested number of bytes at a time.
@safe final class Inflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private let isOpen: Bool
    private var packed: [UInt8] = []
    /// Whether the input that was fed may give more output.
    private(set) var hasMore = false

    init() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        isOpen = unsafe inflateInit_(stream, ZLIB_VERSION, size) == Z_OK
    }

    deinit {
        if isOpen { _ = unsafe inflateEnd(stream) }
        unsafe stream.deallocate()
    }

    /// Sets the next compressed bytes, when the previous ones give no more output.
    func feed(_ bytes: [UInt8]) {
        packed = bytes
        hasMore = isOpen
    }

    /// Decompresses at most `count` bytes; an error in the data ends the output.
    func unpack(_ count: Int, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count))
        let (taken, left, status) = unsafe packed.withUnsafeMutableBufferPointer { input in
            unsafe bytes.withUnsafeMutableBufferPointer { output in
                unsafe stream.pointee.next_in = input.baseAddress
                unsafe stream.pointee.avail_in = UInt32(input.count)
                unsafe stream.pointee.next_out = output.baseAddress.map { unsafe $0 + start }
                unsafe stream.pointee.avail_out = UInt32(count)
                let status = unsafe inflate(stream, Z_NO_FLUSH)
                return unsafe (
                    input.count - Int(stream.pointee.avail_in), Int(stream.pointee.avail_out),
                    status
                )
            }
        }
        packed.removeFirst(taken)
        bytes.removeLast(left)
        hasMore = status == Z_OK && left == 0
    }
}

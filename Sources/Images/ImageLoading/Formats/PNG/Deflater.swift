import CLullZlib

/// A compressor for PNG at zlib's fastest level: thumbnails are written more often than kept.
@safe struct Deflater: ~Copyable {
    private static let room = 16 << 10

    private let stream: UnsafeMutablePointer<z_stream>

    init() throws(PictureError.Reason) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe deflateInit_(stream, Z_BEST_SPEED, ZLIB_VERSION, size) == Z_OK else {
            unsafe stream.deallocate()
            throw .outOfMemory
        }
    }

    deinit {
        _ = unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Compresses all of `bytes`, and appends the output, which may be empty so far.
    mutating func pack(_ bytes: [UInt8], isLast: Bool, into packed: inout [UInt8]) {
        var isFull = true
        var position = 0
        while isFull {
            let end = packed.count
            packed.append(contentsOf: repeatElement(0, count: Self.room))
            let left = unsafe bytes.withUnsafeBufferPointer { input in
                unsafe packed.withUnsafeMutableBufferPointer { output in
                    unsafe stream.pointee.next_in = UnsafeMutablePointer(
                        mutating: input.baseAddress.map { unsafe $0 + position })
                    unsafe stream.pointee.avail_in = UInt32(input.count - position)
                    unsafe stream.pointee.next_out = output.baseAddress.map { unsafe $0 + end }
                    unsafe stream.pointee.avail_out = UInt32(Self.room)
                    _ = unsafe deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    return unsafe (
                        input: Int(stream.pointee.avail_in), output: Int(stream.pointee.avail_out)
                    )
                }
            }
            position = bytes.count - left.input
            packed.removeLast(left.output)
            // It leaves room only when it has consumed all input and written all output.
            isFull = left.output == 0
        }
    }
}

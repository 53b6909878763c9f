import CLullZlib

/// A stream that compresses bytes to zlib's format, or decompresses them, a part at a time.
@safe final class ZlibStream {
    enum Direction {
        /// Compression at the fastest level: thumbnails are written more often than kept.
        case deflating
        case inflating
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private let direction: Direction

    init(_ direction: Direction) throws(PictureError.Reason) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        let status =
            switch direction {
            case .deflating: unsafe deflateInit_(stream, Z_BEST_SPEED, ZLIB_VERSION, size)
            case .inflating: unsafe inflateInit_(stream, ZLIB_VERSION, size)
            }
        guard status == Z_OK else {
            unsafe stream.deallocate()
            throw .outOfMemory
        }
        self.direction = direction
    }

    deinit {
        switch direction {
        case .deflating: _ = unsafe deflateEnd(stream)
        case .inflating: _ = unsafe inflateEnd(stream)
        }
        unsafe stream.deallocate()
    }

    /// Processes bytes from a position on, which moves behind those that were taken, and appends
    /// at most `room` bytes of output.
    ///
    /// - Returns: Whether there may be more output. An error in compressed data ends the output.
    func process(
        _ bytes: [UInt8], from position: inout Int, isLast: Bool = false, room: Int,
        to output: inout [UInt8]
    ) -> Bool {
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: room))
        let status = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(
                    mutating: bytes.baseAddress.map { unsafe $0 + position })
                unsafe stream.pointee.avail_in = UInt32(bytes.count - position)
                unsafe stream.pointee.next_out = output.baseAddress.map { unsafe $0 + start }
                unsafe stream.pointee.avail_out = UInt32(room)
                return switch direction {
                case .deflating: unsafe deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                case .inflating: unsafe inflate(stream, Z_NO_FLUSH)
                }
            }
        }
        position = unsafe bytes.count - Int(stream.pointee.avail_in)
        let left = unsafe Int(stream.pointee.avail_out)
        output.removeLast(left)
        // It leaves room only when it has taken all bytes and given all output.
        return status == Z_OK && left == 0
    }
}

import CGzip

/// A decompressor of a gzip stream with one or more members.
@safe
struct Inflater: ~Copyable {
    /// An error in a stream.
    enum Damage: Error {
        case noMemory
        case corrupt
    }

    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether the last decompressed byte ended a member.
    private(set) var isAtEnd = true

    init() throws(Damage) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe lull_inflate_begin(stream) == Z_OK else {
            unsafe stream.deallocate()
            throw .noMemory
        }
    }

    deinit {
        _ = unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Decompresses from a position on, at most `limit` bytes, and advances the position.
    mutating func unpack(
        _ packed: inout [UInt8], from position: inout Int, atMost limit: Int
    ) throws(Damage) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var status = Z_OK
        let left = unsafe packed.withUnsafeMutableBufferPointer { input in
            unsafe bytes.withUnsafeMutableBufferPointer { output in
                unsafe stream.pointee.next_in = input.baseAddress.map { unsafe $0 + position }
                unsafe stream.pointee.avail_in = UInt32(input.count - position)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = UInt32(output.count)
                status = unsafe inflate(stream, Z_NO_FLUSH)
                return unsafe (
                    input: Int(stream.pointee.avail_in), output: Int(stream.pointee.avail_out)
                )
            }
        }
        position = packed.count - left.input
        isAtEnd = status == Z_STREAM_END
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: unsafe inflateReset(stream)
        case Z_MEM_ERROR: throw .noMemory
        default: throw .corrupt
        }
        bytes.removeLast(left.output)
        return bytes
    }
}

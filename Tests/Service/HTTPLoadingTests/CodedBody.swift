import CLullZlib

/// Bodies as servers compress them.
enum CodedBody {
    /// The text in the bodies of Brotli and Zstandard.
    static let hello = Array("hello".utf8)
    static let brotliHello: [UInt8] = [0x0b, 0x02, 0x80] + hello + [0x03]
    static let zstandardHello: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, 0x29, 0, 0] + hello

    static func gzip(_ bytes: [UInt8]) -> [UInt8] { compressed(bytes, windowBits: 31) }

    /// The zlib format, which HTTP calls deflate.
    static func deflate(_ bytes: [UInt8]) -> [UInt8] { compressed(bytes, windowBits: 15) }

    private static func compressed(_ bytes: [UInt8], windowBits: Int32) -> [UInt8] {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        unsafe deflateInit2_(
            &stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        defer { unsafe deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](
            repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(input.count))))
        let left = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                unsafe CLullZlib.deflate(&stream, Z_FINISH)
                return unsafe Int(stream.avail_out)
            }
        }
        return output.dropLast(left)
    }
}

/// The numbers of a TIFF file, in its own byte order.
struct TIFFBytes {
    private let bytes: [UInt8]
    private let start: Int
    private let isBigEndian: Bool

    /// Creates a reader of the TIFF file at `start`; nil if none begins there.
    init?(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        self.start = start
        switch bytes[start...].prefix(4) {
        case [0x4D, 0x4D, 0, 42]: isBigEndian = true
        case [0x49, 0x49, 42, 0]: isBigEndian = false
        default: return nil
        }
    }

    /// Returns the number in two bytes, or nil if they lie beyond the end.
    func short(at offset: Int) -> Int? {
        guard let first = byte(offset), let second = byte(offset + 1) else { return nil }
        return isBigEndian ? first << 8 | second : second << 8 | first
    }

    /// Returns the number in four bytes, or nil if they lie beyond the end.
    func long(at offset: Int) -> Int? {
        guard let first = short(at: offset), let second = short(at: offset + 2) else { return nil }
        return isBigEndian ? first << 16 | second : second << 16 | first
    }

    /// Returns a byte, or nil beyond the end.
    ///
    /// Offsets are sums of numbers of at most 32 bits, which don't overflow.
    func byte(_ offset: Int) -> Int? {
        let index = start + offset
        return index < bytes.count ? Int(bytes[index]) : nil
    }
}

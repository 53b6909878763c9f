/// Numbers that are stored in several bytes.
extension Sequence<UInt8> {
    /// The number that the bytes form in big-endian order.
    var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }

    /// The number that the bytes form in little-endian order.
    var littleEndian: Int { reversed().bigEndian }
}

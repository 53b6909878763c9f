/// Numbers that are stored in several bytes.
extension Sequence<UInt8> {
    /// The number whose first byte counts most.
    var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }

    /// The number whose first byte counts least.
    var littleEndian: Int { reversed().bigEndian }
}

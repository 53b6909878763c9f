/// A 64-bit hash of bytes, the same on every machine and after every start: FNV-1a with a final
/// mix.
///
/// It isn't safe against intentional collisions; its users handle them.
struct FNVHash {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func combine(_ byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    mutating func combine(_ value: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            combine(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    /// The hash, mixed so that every bit depends on all bytes; the high bits of FNV-1a depend on
    /// too few.
    var value: UInt64 {
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

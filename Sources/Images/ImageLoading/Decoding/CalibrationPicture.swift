internal import CLullZlib
internal import IdleLoop

/// A small generated PNG that is decoded to measure the speed of a machine.
///
/// Half of it is smooth and half is noise, so that both inflating and filtering take time.
struct CalibrationPicture: Sendable {
    static let shared = CalibrationPicture()
    /// The time to decode it on the machine where the default rates were measured.
    static let usualTime = Duration.microseconds(400)
    static let size = PixelSize(width: 160, height: 100)

    let bytes: [UInt8]

    init() {
        var bytes = PNGEncoder.head(of: Self.size, colorType: 2)
        PNGEncoder.appendChunk("IDAT", Self.deflated(Self.rows()), to: &bytes)
        PNGEncoder.appendChunk("IEND", [], to: &bytes)
        self.bytes = bytes
    }

    /// Returns the time to decode it on this machine, the least of three runs; nil on virtual time.
    func decodingTime(_ clock: LoopClock) -> Duration? {
        if case .virtual = clock { return nil }
        let targetSize = PixelSize(width: Self.size.width / 2, height: Self.size.height / 2)
        var least: Duration?
        for _ in 0..<3 {
            let start = clock.now
            let decoder = PictureJob(bytes: bytes, named: "calibration", fitting: targetSize)
            guard (try? decoder.decode()) != nil else { return nil }
            let took = start.duration(to: clock.now)
            least = min(least ?? took, took)
        }
        return least
    }

    /// Returns RGB rows, each after the number of its filter: Sub, Up, Average and Paeth in turn.
    private static func rows() -> [UInt8] {
        var noise: UInt32 = 1
        var rows: [UInt8] = []
        rows.reserveCapacity(size.height * (1 + 3 * size.width))
        for y in 0..<size.height {
            rows.append(UInt8(y == 0 ? 1 : 1 + y % 4))
            for x in 0..<3 * size.width {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                rows.append((x / 12) % 2 == 0 ? 1 : UInt8(noise >> 28))
            }
        }
        return rows
    }

    private static func deflated(_ rows: [UInt8]) -> [UInt8] {
        var count = compressBound(uLong(rows.count))
        var bytes = [UInt8](repeating: 0, count: Int(count))
        _ = unsafe compress2(&bytes, &count, rows, uLong(rows.count), 1)
        return Array(bytes[..<Int(count)])
    }
}

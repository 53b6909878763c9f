internal import CZlib
internal import IdleLoop

/// A small PNG, made from nothing, that shows how fast a machine decodes.
///
/// Half of it is smooth and half is noise, so that both inflating and filtering have work.
struct CalibrationPicture: Sendable {
    static let shared = CalibrationPicture()
    /// What decoding it takes where the first rates were measured.
    static let usualTime = Duration.microseconds(400)
    static let size = PixelSize(width: 160, height: 100)

    let bytes: [UInt8]

    init() {
        var bytes = PNGEncoder.head(of: Self.size, colorType: 2)
        PNGEncoder.appendChunk("IDAT", Self.deflated(Self.rows()), to: &bytes)
        PNGEncoder.appendChunk("IEND", [], to: &bytes)
        self.bytes = bytes
    }

    /// What decoding it takes now, the least of three times; nil if time doesn't pass by itself.
    func decodingTime(_ clock: LoopClock) -> Duration? {
        if case .virtual = clock { return nil }
        let box = PixelSize(width: Self.size.width / 2, height: Self.size.height / 2)
        var least: Duration?
        for _ in 0..<3 {
            let start = clock.now
            let decoder = PictureJob(bytes: bytes, named: "calibration", fitting: box)
            guard (try? decoder.decode()) != nil else { return nil }
            let took = start.duration(to: clock.now)
            least = min(least ?? took, took)
        }
        return least
    }

    /// Rows of RGB, each with the number of its filter before it: Sub, Up, Average and Paeth in turn.
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

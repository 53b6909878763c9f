internal import IdleLoop

/// The times of decoding on this machine, learned by the kind of picture.
///
/// A kind has a rate: the time for each unit that decoding is proportional to. By its header, a
/// picture is of the kind of its format, and a unit is a byte of a JPEG file, a byte of a PNG's raw
/// pixels, or a pixel of other formats. If only the length of a file is known, it is of the kind of
/// its target size, and a unit is a byte. Until a picture of the kind was measured, the rate is that
/// of one fast machine.
struct DecodingCosts: Sendable {
    private enum Kind: Hashable {
        case format(PictureFormat)
        case file(PixelSize)

        /// The nanoseconds for each unit on one fast machine.
        var usualRate: Double {
            switch self {
            case .format(let format): format.cost.rate
            case .file: 9
            }
        }

        /// The cost of every picture, in nanoseconds: opening, header, tables.
        var fixed: Double {
            switch self {
            case .format: 60_000
            case .file: 100_000
            }
        }
    }

    /// The cost of decoding an embedded thumbnail, whatever the file.
    private static let thumbnail = Duration.microseconds(260)
    /// The time that a slice of a loop's queue takes by default, in which any picture may be decoded.
    private static let slice = Duration.milliseconds(2)

    /// The learned nanoseconds for each unit.
    private var rates: [Kind: MeanDeviation<Double>] = [:]

    /// Returns the likely time to decode a picture, all slices together.
    func estimate(_ header: PictureHeader, fitting targetSize: PixelSize) -> Duration {
        if header.isServedByThumbnail(fitting: targetSize) { return Self.thumbnail }
        return time(.format(header.format), header.costUnits(fitting: targetSize)) { $0.mean }
    }

    /// Returns a time that decoding a picture rarely exceeds: the estimate plus the mean deviation.
    func bound(_ header: PictureHeader, fitting targetSize: PixelSize) -> Duration {
        if header.isServedByThumbnail(fitting: targetSize) { return Self.thumbnail }
        return time(.format(header.format), header.costUnits(fitting: targetSize)) {
            $0.mean + $0.deviation
        }
    }

    /// Returns the likely time to process a file, estimated from its length alone.
    func estimate(fileBytes: Int, fitting targetSize: PixelSize) -> Duration {
        time(.file(targetSize), Double(min(max(0, fileBytes), 1 << 32))) { $0.mean }
    }

    /// Records the time that decoding a picture took, unless it was decoded from its thumbnail.
    mutating func learn(_ cost: Duration, of header: PictureHeader, fitting targetSize: PixelSize) {
        guard !header.isServedByThumbnail(fitting: targetSize) else { return }
        learn(cost, of: .format(header.format), header.costUnits(fitting: targetSize))
    }

    /// Records the time that processing a file took.
    mutating func learn(_ cost: Duration, ofFileBytes count: Int, fitting targetSize: PixelSize) {
        learn(cost, of: .file(targetSize), Double(count))
    }

    /// Returns whether a picture is best decoded by a worker, since its steps are too long for a loop,
    /// or too many for one that is busy: while a list scrolls or frames are shown.
    func prefersWorker(
        for header: PictureHeader, fitting targetSize: PixelSize, isBusy: Bool
    ) -> Bool {
        if header.format.needsWorker { return true }
        let bound = bound(header, fitting: targetSize)
        if bound <= Self.slice || header.isServedByThumbnail(fitting: targetSize) { return false }
        let pixels = header.size.width * header.size.height
        return pixels > header.format.slicedPixels || isBusy && bound > .milliseconds(50)
    }

    private func time(
        _ kind: Kind, _ units: Double, _ rate: (MeanDeviation<Double>) -> Double
    ) -> Duration {
        let usual = MeanDeviation(kind.usualRate, deviation: kind.usualRate / 4)
        return .nanoseconds(
            Int64(min(kind.fixed + rate(rates[kind] ?? usual) * units, 1e18)))
    }

    /// Records a time, unless it is mostly the fixed cost, or zero, as on virtual time.
    private mutating func learn(_ cost: Duration, of kind: Kind, _ units: Double) {
        let found = (cost / .nanoseconds(1) - kind.fixed) / units
        guard found > 0, units * kind.usualRate >= kind.fixed else { return }
        rates[kind].add(found, firstDeviation: found / 4)
    }
}

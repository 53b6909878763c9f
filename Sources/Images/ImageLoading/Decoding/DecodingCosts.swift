public import IdleLoop

/// An estimator of decoding times on this machine, by picture format.
///
/// It estimates from a picture's header, and learns from measured times.
///
/// ```swift
/// var costs = DecodingCosts()
/// costs.calibrate()                                    // once, 2 ms
/// costs.estimate(header, fitting: targetSize)          // 4.6 ms
/// costs.learn(header, fitting: targetSize, cost: measured)
/// ```
///
/// Each format has a rate: the time for each unit that decoding is proportional to. The unit is a
/// byte of a JPEG file, a byte of a PNG's raw pixels, or a pixel of other formats. The default
/// rates were measured on one fast machine; ``calibrate(_:)`` scales them to this one. After that,
/// each measured picture moves the rate of its format a quarter of the way towards its own rate,
/// and the mean deviation likewise.
public struct DecodingCosts: Sendable {
    /// The fixed cost of every picture, in nanoseconds: opening, header, tables.
    static let fixed = 60_000.0
    /// The cost of decoding an embedded thumbnail, in nanoseconds, whatever the file.
    static let thumbnail = 200_000.0
    /// The fixed cost of processing any file, in nanoseconds, if only its length is known.
    static let anyFixed = 100_000.0
    /// The time that a slice of a loop's queue takes by default, in which any picture may be decoded.
    private static let slice = Duration.milliseconds(2)

    /// The nanoseconds for each unit.
    private typealias Rate = MeanDeviation<Double>

    /// The learned rates; every other format has its default rate.
    private var rates: [PictureFormat: Rate] = [:]
    /// The nanoseconds for each byte of files of which only the length is known, by target size.
    private var byteRates: [PixelSize: Double] = [:]
    /// The factor by which this machine is slower than the one of the default rates.
    public private(set) var slowness = 1.0

    /// Creates an estimator with the default rates, those of one fast machine.
    public init() {}

    /// Returns the likely time to decode a picture, all slices together.
    public func estimate(_ header: PictureHeader, fitting targetSize: PixelSize) -> Duration {
        duration(header, targetSize) { $0.mean }
    }

    /// Returns a time that decoding a picture rarely exceeds: the estimate plus the mean deviation.
    public func bound(_ header: PictureHeader, fitting targetSize: PixelSize) -> Duration {
        duration(header, targetSize) { $0.mean + $0.deviation }
    }

    /// Returns the likely time to process a file, estimated from its length alone.
    public func estimate(fileBytes: Int, fitting targetSize: PixelSize) -> Duration {
        let bytes = Double(min(max(0, fileBytes), 1 << 32))
        return Self.duration(Self.anyFixed + bytes * (byteRates[targetSize] ?? 9 * slowness))
    }

    /// Records the time that processing a file took; tiny files and times of zero are ignored.
    public mutating func learn(fileBytes: Int, fitting targetSize: PixelSize, cost: Duration) {
        guard cost > .zero, fileBytes > 1 << 14 else { return }
        let found = max(0, cost / .nanoseconds(1) - Self.anyFixed) / Double(fileBytes)
        byteRates[targetSize] = (byteRates[targetSize] ?? 9 * slowness).averaged(with: found)
    }

    /// Records the time that decoding a picture took.
    ///
    /// Ignored are pictures too small for their format to matter, pictures that are decoded from
    /// their thumbnail, and times of zero, as on virtual time.
    public mutating func learn(
        _ header: PictureHeader, fitting targetSize: PixelSize, cost: Duration
    ) {
        let units = header.format.cost.units(header, fitting: targetSize)
        var rate = rate(of: header.format)
        guard cost > .zero, units * rate.mean >= Self.fixed * slowness,
            !header.isServedByThumbnail(fitting: targetSize)
        else { return }
        let took = max(0, cost / .nanoseconds(1) - Self.fixed * slowness)
        rate.add(took / units)
        rates[header.format] = rate
    }

    /// Measures the speed of this machine by decoding a small picture three times.
    ///
    /// It takes about 2 ms. On virtual time, where decoding takes no time, it changes nothing.
    public mutating func calibrate(_ clock: LoopClock = .monotonic) {
        if let took = CalibrationPicture.shared.decodingTime(clock) { calibrate(took: took) }
    }

    /// Scales the rates to a machine on which the calibration picture takes the given time.
    mutating func calibrate(took: Duration) {
        guard took > .zero else { return }
        let found = max(0.25, min(64, took / CalibrationPicture.usualTime))
        let change = found / slowness
        slowness = found
        rates = rates.mapValues {
            Rate($0.mean * change, deviation: $0.deviation * change)
        }
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

    private func rate(of format: PictureFormat) -> Rate {
        let usual = format.cost.rate * slowness
        return rates[format] ?? Rate(usual, deviation: usual / 4)
    }

    private func duration(
        _ header: PictureHeader, _ targetSize: PixelSize, _ rate: (Rate) -> Double
    ) -> Duration {
        guard !header.isServedByThumbnail(fitting: targetSize) else {
            return .nanoseconds(Int64((Self.fixed + Self.thumbnail) * slowness))
        }
        let units = header.format.cost.units(header, fitting: targetSize)
        let nanoseconds = Self.fixed * slowness + rate(self.rate(of: header.format)) * units
        return Self.duration(nanoseconds)
    }

    private static func duration(_ nanoseconds: Double) -> Duration {
        .nanoseconds(Int64(min(nanoseconds, 1e18)))
    }
}

extension PictureFormat.Cost {
    /// The nanoseconds for each unit on one fast machine.
    var rate: Double {
        switch self {
        case .fileBytes(let rate), .scaledFileBytes(let rate), .rawBytes(let rate),
            .pixels(let rate):
            rate
        }
    }

    /// Returns the number of units in a picture.
    func units(_ header: PictureHeader, fitting targetSize: PixelSize) -> Double {
        let pixels = Double(header.size.width) * Double(header.size.height)
        switch self {
        case .fileBytes: return Double(header.fileBytes)
        case .scaledFileBytes:
            let eighths = Self.eighths(header.size, filling: header.size.fitted(in: targetSize))
            return Double(header.fileBytes) * (1 + 0.6 * Double(eighths - 1) / 7)
        case .rawBytes:
            // A flat picture, such as a screenshot, takes 2.4 where a photo takes 6.6.
            let raw = pixels * Double(header.channels * header.bytesPerSample)
            let detail = min(1, 4 * Double(header.fileBytes) / max(1, raw))
            return raw * (2.4 + 4.2 * detail) / 6.6
        case .pixels: return pixels
        }
    }

    /// Returns the least number of eighths at which a JPEG is at least as large as a size.
    private static func eighths(_ size: PixelSize, filling target: PixelSize) -> Int {
        (1..<8).first { eighths in
            (size.width * eighths + 7) / 8 >= target.width
                && (size.height * eighths + 7) / 8 >= target.height
        } ?? 8
    }
}

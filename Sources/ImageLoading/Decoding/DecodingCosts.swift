public import IdleLoop

/// The time that decoding takes on this machine, by the kind of picture: told from headers, and
/// corrected by what it has really taken.
///
/// ```swift
/// var costs = DecodingCosts()
/// costs.calibrate()                                    // once, 2 ms
/// costs.estimate(header, fitting: box)                 // 4.6 ms
/// costs.learn(header, fitting: box, cost: measured)
/// ```
///
/// Each kind has its rate, of a unit that decoding is proportional to: bytes of a JPEG file, bytes of
/// a PNG's raw pixels, pixels of others. The rates to begin with were measured on one fast machine;
/// ``calibrate(_:)`` makes them those of another. Then each picture moves its kind's rate by a
/// quarter of the way, and the mean deviation likewise.
public struct DecodingCosts: Sendable {
    /// The nanoseconds of every picture, however small: opening, header, tables.
    static let fixed = 60_000.0
    /// The nanoseconds of the thumbnail within a file, whatever the file.
    static let thumbnail = 200_000.0
    /// The nanoseconds of making something of any file, however short it is.
    static let anyFixed = 100_000.0

    /// The nanoseconds that a unit takes, and the mean deviation from that.
    private struct Rate {
        var mean: Double
        var deviation: Double

        init(_ mean: Double) {
            self.mean = mean
            deviation = mean / 4
        }

        mutating func add(_ rate: Double) {
            deviation = (3 * deviation + abs(rate - mean)) / 4
            mean = (3 * mean + rate) / 4
        }
    }

    /// The rates of formats that differ from what the format says.
    private var rates: [PictureFormat: Rate] = [:]
    /// The nanoseconds that a byte of a file takes, all in all, of which only the length is known.
    private var byteRates: [PixelSize: Double] = [:]
    /// The factor by which this machine is slower than the one that the first rates are of.
    public private(set) var slowness = 1.0

    /// The rates of one fast machine.
    public init() {}

    /// Returns the time that decoding a picture is likely to take, all slices together.
    public func estimate(_ header: PictureHeader, fitting box: PixelSize) -> Duration {
        duration(header, box) { $0.mean }
    }

    /// Returns a time that decoding a picture will rarely exceed: the estimate and the mean deviation.
    public func bound(_ header: PictureHeader, fitting box: PixelSize) -> Duration {
        duration(header, box) { $0.mean + $0.deviation }
    }

    /// Returns the time that making something of a file is likely to take, told by its length.
    public func estimate(fileBytes: Int, fitting box: PixelSize) -> Duration {
        let bytes = Double(min(max(0, fileBytes), 1 << 32))
        return Self.duration(Self.anyFixed + bytes * (byteRates[box] ?? 9 * slowness))
    }

    /// Notes what making something of a file has taken; tiny files and times of zero teach nothing.
    public mutating func learn(fileBytes: Int, fitting box: PixelSize, cost: Duration) {
        guard cost > .zero, fileBytes > 1 << 14 else { return }
        let found = max(0, cost / .nanoseconds(1) - Self.anyFixed) / Double(fileBytes)
        byteRates[box] = (3 * (byteRates[box] ?? 9 * slowness) + found) / 4
    }

    /// Notes what decoding a picture has taken.
    ///
    /// Pictures so small that their kind hardly matters, those that a thumbnail stands for, and times
    /// of zero, as on virtual time, teach nothing.
    public mutating func learn(_ header: PictureHeader, fitting box: PixelSize, cost: Duration) {
        let units = header.format.cost.units(header, fitting: box)
        var rate = rate(of: header.format)
        guard cost > .zero, units * rate.mean >= Self.fixed * slowness,
            !header.isServedByThumbnail(fitting: box)
        else { return }
        let took = max(0, cost / .nanoseconds(1) - Self.fixed * slowness)
        rate.add(took / units)
        rates[header.format] = rate
    }

    /// Finds out how fast this machine is, by decoding a small picture three times.
    ///
    /// It takes about 2 ms. On virtual time, where nothing takes time, it changes nothing.
    public mutating func calibrate(_ clock: LoopClock = .monotonic) {
        if let took = CalibrationPicture.shared.decodingTime(clock) { calibrate(took: took) }
    }

    /// Makes the rates those of a machine on which the calibration picture takes so long.
    mutating func calibrate(took: Duration) {
        guard took > .zero else { return }
        let found = max(0.25, min(64, took / CalibrationPicture.usualTime))
        let change = found / slowness
        slowness = found
        for format in rates.keys {
            rates[format]?.mean *= change
            rates[format]?.deviation *= change
        }
    }

    /// Returns how a picture is best decoded.
    ///
    /// - Parameters:
    ///   - header: What the picture says of itself.
    ///   - box: What it is scaled down to.
    ///   - budget: How long a slice on the loop may take.
    ///   - isBusy: Whether a list moves or frames are shown meanwhile.
    /// - Returns: The lane.
    public func lane(
        for header: PictureHeader, fitting box: PixelSize, budget: Duration = .milliseconds(2),
        isBusy: Bool = false
    ) -> DecodingLane {
        if header.format.needsWorker { return .worker }
        let bound = bound(header, fitting: box)
        if bound <= budget { return .atOnce }
        if header.isServedByThumbnail(fitting: box) { return .sliced }
        let pixels = header.size.width * header.size.height
        if pixels > header.format.slicedPixels { return .worker }
        return isBusy && bound > .milliseconds(50) ? .worker : .sliced
    }

    private func rate(of format: PictureFormat) -> Rate {
        rates[format] ?? Rate(format.cost.rate * slowness)
    }

    private func duration(
        _ header: PictureHeader, _ box: PixelSize, _ rate: (Rate) -> Double
    ) -> Duration {
        guard !header.isServedByThumbnail(fitting: box) else {
            return .nanoseconds(Int64((Self.fixed + Self.thumbnail) * slowness))
        }
        let units = header.format.cost.units(header, fitting: box)
        let nanoseconds = Self.fixed * slowness + rate(self.rate(of: header.format)) * units
        return Self.duration(nanoseconds)
    }

    private static func duration(_ nanoseconds: Double) -> Duration {
        .nanoseconds(Int64(min(nanoseconds, 1e18)))
    }
}

extension PictureFormat.Cost {
    /// The nanoseconds that a unit takes on one fast machine.
    var rate: Double {
        switch self {
        case .fileBytes(let rate), .scaledFileBytes(let rate), .rawBytes(let rate),
            .pixels(let rate):
            rate
        }
    }

    /// The number of units in a picture.
    func units(_ header: PictureHeader, fitting box: PixelSize) -> Double {
        let pixels = Double(header.size.width) * Double(header.size.height)
        switch self {
        case .fileBytes: return Double(header.fileBytes)
        case .scaledFileBytes:
            let eighths = Self.eighths(header.size, filling: header.size.fitted(in: box))
            return Double(header.fileBytes) * (1 + 0.6 * Double(eighths - 1) / 7)
        case .rawBytes:
            // A flat picture, as of a screen, takes 2.4 where a photo takes 6.6.
            let raw = pixels * Double(header.channels * header.bytesPerSample)
            let detail = min(1, 4 * Double(header.fileBytes) / max(1, raw))
            return raw * (2.4 + 4.2 * detail) / 6.6
        case .pixels: return pixels
        }
    }

    /// The least number of eighths at which a JPEG fills a size.
    private static func eighths(_ size: PixelSize, filling target: PixelSize) -> Int {
        (1..<8).first { eighths in
            (size.width * eighths + 7) / 8 >= target.width
                && (size.height * eighths + 7) / 8 >= target.height
        } ?? 8
    }
}

/// A place where a picture is decoded.
public enum DecodingLane: Equatable, Sendable {
    /// On the loop, in one slice.
    case atOnce
    /// On the loop, in slices of several lulls.
    case sliced
    /// On a worker, as it can't be cut into short slices, or would take too many.
    case worker
}

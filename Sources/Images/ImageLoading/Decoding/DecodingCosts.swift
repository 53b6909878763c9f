internal import IdleLoop

/// The times of decoding on this machine, learned by the kind of picture.
///
/// By its header, a picture is of the kind of its format; if only the length of a file is known, it
/// is of the kind of its target size. Its size is the time that it would take on one fast machine:
/// with the first picture that was measured, all kinds are expected to be as much slower here, and
/// then each as it turns out.
struct DecodingCosts: Sendable {
    /// The cost of decoding an embedded thumbnail, whatever the file.
    private static let thumbnail = Duration.microseconds(260)
    /// The nanoseconds that every picture takes on a fast machine: opening, header, tables.
    private static let fixed = 60_000

    private var costs = CostEstimator()

    /// Returns the likely time to decode a picture, all slices together.
    func estimate(_ header: PictureHeader, fitting targetSize: PixelSize) -> Duration {
        if header.isServedByThumbnail(fitting: targetSize) { return Self.thumbnail }
        return mean(of: Self.kind(of: header, fitting: targetSize))
    }

    /// Returns a time that decoding a picture rarely exceeds: the estimate plus the mean deviation.
    func bound(_ header: PictureHeader, fitting targetSize: PixelSize) -> Duration {
        if header.isServedByThumbnail(fitting: targetSize) { return Self.thumbnail }
        let kind = Self.kind(of: header, fitting: targetSize)
        return costs.expected(of: kind)?.bound ?? mean(of: kind) * 5 / 4
    }

    /// Returns the likely time to process a file, estimated from its length alone.
    func estimate(fileBytes: Int, fitting targetSize: PixelSize) -> Duration {
        mean(of: Self.kind(ofFileBytes: fileBytes, fitting: targetSize))
    }

    /// Records the time that decoding a picture took.
    ///
    /// Ignored are pictures too small for their format to matter, pictures that are decoded from
    /// their thumbnail, and times of zero, as on virtual time.
    mutating func learn(_ cost: Duration, of header: PictureHeader, fitting targetSize: PixelSize) {
        let kind = Self.kind(of: header, fitting: targetSize)
        guard cost > .zero, kind.size ?? 0 >= 2 * Self.fixed,
            !header.isServedByThumbnail(fitting: targetSize)
        else { return }
        costs.learn(cost, of: kind)
    }

    /// Records the time that processing a file took; tiny files and times of zero are ignored.
    mutating func learn(_ cost: Duration, ofFileBytes count: Int, fitting targetSize: PixelSize) {
        guard cost > .zero, count > 1 << 14 else { return }
        costs.learn(cost, of: Self.kind(ofFileBytes: count, fitting: targetSize))
    }

    private static func kind(
        of header: PictureHeader, fitting targetSize: PixelSize
    ) -> WorkKind {
        let time = Double(fixed) + header.decodingCost(fitting: targetSize)
        return WorkKind(header.format.name, size: Int(min(time, 1e18)))
    }

    private static func kind(ofFileBytes count: Int, fitting targetSize: PixelSize) -> WorkKind {
        WorkKind(
            targetSize.width &<< 32 ^ targetSize.height,
            size: 100_000 + 9 * min(max(0, count), 1 << 32))
    }

    /// Returns the likely time for a kind: its size before anything was learned.
    private func mean(of kind: WorkKind) -> Duration {
        costs.expected(of: kind)?.mean ?? .nanoseconds(kind.size ?? 0)
    }
}

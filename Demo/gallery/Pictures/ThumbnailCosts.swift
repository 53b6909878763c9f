internal import ImageLoading

/// The expected cost of making small pictures, told from the length of their files before anything of
/// those was read, and corrected by the measured cost: on the loop, and for large views on a worker.
///
/// A load moves its kind's rate by a quarter of the way. What is found in the disk cache takes next to
/// nothing, which can't be told beforehand and teaches nothing.
struct ThumbnailCosts: Sendable {
    /// The cost of every one, however short its file.
    static let fixed = 100_000.0
    /// The most bytes that count: nothing longer is ever read.
    private static let longest = 1 << 32

    /// The costs of decoding, told from headers.
    var decoding: DecodingCosts
    /// Nanoseconds for each byte of a file: one fast machine's, times how slow this one is.
    private var rates: [ThumbnailKind: Double]

    init(decoding: DecodingCosts) {
        self.decoding = decoding
        rates = [.row: 9 * decoding.slowness, .view: 20 * decoding.slowness]
    }

    /// Returns the time that all slices of a load are likely to take together.
    func estimate(_ kind: ThumbnailKind, fileBytes: Int) -> Duration {
        let bytes = Double(min(max(0, fileBytes), Self.longest))
        return .nanoseconds(Int64(Self.fixed + bytes * (rates[kind] ?? 0)))
    }

    /// Notes what a load has taken; times of zero, as on virtual time, and tiny files teach nothing.
    mutating func learn(_ kind: ThumbnailKind, fileBytes: Int, cost: Duration) {
        guard cost > .zero, fileBytes > 1 << 14, let rate = rates[kind] else { return }
        let found = max(0, cost / .nanoseconds(1) - Self.fixed) / Double(fileBytes)
        rates[kind] = (3 * rate + found) / 4
    }
}

public import DeferredLoading
internal import IdleLoop
public import ScrollModel

/// P11: Chromium's tiles (`cc::PictureLayerTilingSet`, `cc::TileManager`).
///
/// Visible tiles are rastered NOW. SOON are those within a border around the viewport, or where it
/// will have passed in a second at its speed over the last two frames, at most 2000 px away.
/// EVENTUALLY are the others within 1000 px. Inside a bin the nearest goes first. When the viewport
/// changes all tiles are sorted again, as far as the memory allows.
///
/// Here rows are tiles, and the budget is an assumption: 64 MiB of a phone's screen, 412 px of
/// 2.625 physical ones wide, which is more than these bins usually hold.
public struct ChromiumTiles: LoadingPolicy {
    /// The maximum number of bytes of all tiles.
    private let budget: Double
    /// The number of bytes for a px of a row's height.
    private let bytesPerPixel: Double

    /// The last two viewports with their times, the older first.
    private var history: [(time: Instant, offset: Double)] = []
    private var bins: (soon: Range<Int>, eventually: Range<Int>) = (0..<0, 0..<0)

    /// Creates the rule with a budget.
    public init(
        budget: Double = 64 * 1024 * 1024, bytesPerPixel: Double = 412 * 2.625 * 2.625 * 4
    ) {
        self.budget = budget
        self.bytesPerPixel = bytesPerPixel
    }

    /// Returns rows by their bins; answers at frames in which the viewport or its speed has
    /// changed.
    public mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        guard moment.event == .frame else { return nil }
        let viewport = moment.viewport
        let skew = skew(of: viewport, at: moment.time)
        let border = min(312, 0.15 * viewport.height)
        bins.soon = viewport.rows(
            from: viewport.offset - max(border, -skew), to: viewport.bottom + max(border, skew))
        bins.eventually = viewport.rows(
            from: viewport.offset - 1000, to: viewport.bottom + 1000)
        history = history.suffix(1) + [(moment.time, viewport.offset)]
        let visible = viewport.visibleRows.bounds
        let rows =
            min(
                bins.soon.lowerBound, bins.eventually.lowerBound)..<max(
                bins.soon.upperBound, bins.eventually.upperBound)
        let tiles = rows.map { row in
            (
                urgency: visible.contains(row)
                    ? Urgency.visible
                    : bins.soon.contains(row) ? .approach : .near,
                gap: viewport.gap(toRow: row), row: row
            )
        }
        .sorted { ($1.urgency, $0.gap, $0.row) < ($0.urgency, $1.gap, $1.row) }
        return affordable(tiles.map { ($0.row, $0.urgency) }, in: viewport)
    }

    /// Returns the distance that the viewport will have moved, in whole px.
    private func skew(of viewport: Viewport, at now: Instant) -> Double {
        guard let then = history.first, then.time < now else { return 0 }
        let factor = 1 / then.time.duration(to: now).inSeconds
        let skew = ((viewport.offset - then.offset) * factor).rounded(.towardZero)
        return min(max(skew, -2000), 2000)
    }

    private func affordable(
        _ tiles: [(row: Int, urgency: Urgency)], in viewport: Viewport
    ) -> [Wanted<Int>] {
        var left = budget
        return tiles.enumerated().prefix { _, tile in
            left -= viewport.list.extent(ofRowAt: tile.row).height * bytesPerPixel
            return left >= 0 || tile.urgency == .visible
        }
        .map { Wanted($1.row, urgency: $1.urgency, rank: $0) }
    }

    /// Returns the name of the row's bin.
    public func explanation(ofRow row: Int) -> String? {
        bins.soon.contains(row) ? "soon" : bins.eventually.contains(row) ? "eventually" : nil
    }
}

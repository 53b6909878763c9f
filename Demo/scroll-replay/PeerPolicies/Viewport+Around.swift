internal import ScrollModel

// Rows by their position.
extension Viewport {
    /// The offset of the viewport's lower edge, in px.
    var bottom: Double { offset + height }

    /// Returns the rows from one offset to another, including those that are partly inside.
    func rows(from top: Double, to bottom: Double) -> Range<Int> {
        let top = max(0, top)
        let bottom = min(list.contentHeight, bottom)
        guard top < bottom else { return 0..<0 }
        return list.visibleRows(offset: top, height: bottom - top).bounds
    }

    /// Returns the rows in view and those within a distance in px ahead and behind; ahead is down
    /// if `isForward`.
    func rows(ahead: Double, behind: Double, isForward: Bool) -> Range<Int> {
        rows(
            from: offset - (isForward ? behind : ahead), to: bottom + (isForward ? ahead : behind))
    }

    /// Returns the px between a row and the viewport; 0 for one in view.
    func gap(toRow row: Int) -> Double {
        let extent = list.extent(ofRowAt: row)
        return max(0, offset - (extent.offset + extent.height), extent.offset - bottom)
    }
}

extension ScrollMotion {
    /// The velocity over the last two frames, in px per second; positive when the offset grows.
    var frameVelocity: Double {
        lastStep.time > .zero ? lastStep.distance / lastStep.time.inSeconds : 0
    }
}

extension Duration {
    /// The time in seconds.
    var inSeconds: Double {
        let parts = components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }
}

extension Range<Int> {
    /// Returns the rows in the order in which a list that moves this way meets them.
    func along(isForward: Bool) -> [Int] { isForward ? Array(self) : reversed() }
}

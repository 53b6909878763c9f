/// The order in which an interlaced GIF stores its rows: every eighth, those between, and so on.
struct Interlacing {
    let height: Int

    /// Which row of the picture a line of the file is.
    func row(ofLine line: Int) -> Int {
        var left = line
        for (first, step) in [(0, 8), (4, 8), (2, 4)] {
            let count = max(0, height - first + step - 1) / step
            if left < count { return first + left * step }
            left -= count
        }
        return 1 + left * 2
    }
}

/// The obvious model of a cache of heights by key: a list of keys, each with a list of heights.
struct PlainHeights {
    let limit: Int
    let widthLimit: Int
    /// The key asked for last first.
    private(set) var keys: [(key: String, heights: [Double: Double])] = []
    /// The width asked for last first.
    private(set) var widths: [Double] = []

    init(limit: Int, widths: Int) {
        self.limit = limit
        widthLimit = widths
    }

    func height(_ key: String, _ width: Double) -> Double? {
        keys.first { $0.key == key }?.heights[width]
    }

    /// Whether the height was there, so that nothing is measured.
    mutating func ask(_ key: String, _ width: Double, measured: Double) -> Bool {
        let isThere = height(key, width) != nil
        if !isThere { put(key, width, measured) }
        guard let place = keys.firstIndex(where: { $0.key == key }) else { return isThere }
        keys.insert(keys.remove(at: place), at: 0)
        widths.removeAll { $0 == width }
        widths.insert(width, at: 0)
        return isThere
    }

    mutating func invalidate(_ key: String) { keys.removeAll { $0.key == key } }

    mutating func invalidate(width: Double) {
        widths.removeAll { $0 == width }
        for place in keys.indices { keys[place].heights[width] = nil }
        keys.removeAll { $0.heights.isEmpty }
    }

    private mutating func put(_ key: String, _ width: Double, _ height: Double) {
        if !widths.contains(width) {
            if widths.count == widthLimit, let oldest = widths.last { invalidate(width: oldest) }
            widths.insert(width, at: 0)
        }
        if !keys.contains(where: { $0.key == key }) {
            if keys.count == limit { keys.removeLast() }
            keys.append((key, [:]))
        }
        guard let place = keys.firstIndex(where: { $0.key == key }) else { return }
        keys[place].heights[width] = height
    }
}

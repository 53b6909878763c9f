import TestSupport
import Testing

@testable import ListCells

struct KeyedHeightCacheTests {
    @Test(arguments: seeds(0..<1500))
    func `a key used lately isn't measured again, and the number of keys has its limit`(
        seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        let limit = Int.random(in: 2...12, using: &random)
        var cache = KeyedHeightCache<String>(limit: limit)
        // The keys, the one used last first, with the widths that are surely kept.
        var keys: [(key: String, widths: [Double])] = []
        var heights: [String: [Double: Double]] = [:]
        for _ in 0..<80 {
            let key = "\(Int.random(in: 0..<15, using: &random))"
            let width = Double([320, 480, 768].randomElement(using: &random) ?? 0)
            let place = keys.firstIndex { $0.key == key }
            var widths = place.map { keys.remove(at: $0).widths } ?? []
            if Int.random(in: 0..<10, using: &random) == 0 {
                cache.invalidate(key)
                heights[key] = nil
                continue
            }
            // Every fourth height is 0.
            let new = Double(max(0, Int.random(in: -10...30, using: &random)))
            var isMeasured = false
            let height = cache.height(for: key, width: width) {
                isMeasured = true
                return new
            }
            #expect(!isMeasured || !widths.contains(width))
            #expect(height == (isMeasured ? new : heights[key]?[width]))
            heights[key, default: [:]][width] = height
            if isMeasured { widths = [width] + widths.prefix(1) }
            keys.insert((key, widths), at: 0)
            for place in keys.indices.dropFirst(limit / 2) { keys[place].widths = [] }
            #expect(cache.count <= limit)
        }
    }

    @Test(arguments: [(-1, 480), (.infinity, 480), (.nan, 480), (3, .nan)])
    func `what can't be a height isn't stored`(height: Double, width: Double) {
        var cache = KeyedHeightCache<Int>(limit: 2)
        var measured = 0
        for _ in 0..<2 {
            let returned = cache.height(for: 1, width: width) {
                measured += 1
                return height
            }
            #expect(returned == height || height.isNaN && returned.isNaN)
        }
        #expect(measured == 2 && cache.count == 0)
    }
}

/// What has come so far of the source rows under one target row: the vertical half of an average.
struct RowSums {
    /// For each byte of a row, the sum of the rows, each times its length: at most 255 × 65,535.
    private var sums: [UInt32]
    private var isFresh = true

    init(width: Int) { sums = [UInt32](repeating: 0, count: 4 * width) }

    /// Begins the next target row.
    mutating func clear() { isFresh = true }

    /// Adds a source row of which a part of that length lies in the target row.
    mutating func add(_ row: Span<UInt8>, length: Int) {
        let length = UInt32(length)
        let isFirst = isFresh
        isFresh = false
        var sums = sums.mutableSpan
        precondition(row.count == sums.count, "all rows of a picture are of one length")
        if isFirst {
            for index in row.indices { sums[index] = UInt32(row[index]) &* length }
        } else {
            for index in row.indices { sums[index] &+= UInt32(row[index]) &* length }
        }
    }

    /// Appends the means along the row, one pixel for each stretch.
    ///
    /// - Parameters:
    ///   - stretches: Where the target pixels are.
    ///   - area: How many lengths down times lengths along make one target pixel.
    ///   - output: Gets four bytes for each stretch.
    func appendMeans(
        over stretches: [Stretch], area: Int, to output: inout OutputSpan<UInt8>
    ) {
        // A mean is a multiple of 1/area, at least 2e-10: the bit more than one half lifts exact
        // halves over what the division lost, and nothing else.
        let scale = 1 / Double(area)
        let half = 0.5 + 1e-11
        let sums = sums.span
        for stretch in stretches {
            for channel in 0..<4 {
                let first = 4 * stretch.first + channel
                let last = 4 * stretch.last + channel
                var sum = 0
                for index in stride(from: first, through: last, by: 4) {
                    sum &+= Int(sums[index])
                }
                sum &*= stretch.unit
                sum &-= Int(sums[first]) &* stretch.before
                sum &-= Int(sums[last]) &* stretch.after
                output.append(UInt8(Double(sum) * scale + half))
            }
        }
    }
}

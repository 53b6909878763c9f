import ImageLoading
import TerminalPictures

extension Picture {
    /// The mean red, green and blue of its quarters over white: upper left, upper right, lower
    /// left, lower right.
    ///
    /// A middle row or column of an odd count belongs to the quarters on both of its sides.
    var quadrants: [[Int]] {
        let (columns, rows) = (halves(of: size.width), halves(of: size.height))
        let bytes = opaqueBytes(over: .white)
        return rows.flatMap { rows in
            columns.map { columns in
                var sums = [0, 0, 0]
                for row in rows {
                    for column in columns {
                        let place = 3 * (row * size.width + column)
                        for channel in 0..<3 { sums[channel] += Int(bytes[place + channel]) }
                    }
                }
                let count = rows.count * columns.count
                return sums.map { ($0 + count / 2) / max(1, count) }
            }
        }
    }

    private func halves(of length: Int) -> [Range<Int>] {
        [0..<(length + 1) / 2, length / 2..<length]
    }
}

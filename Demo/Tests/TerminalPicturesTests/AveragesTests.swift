import ImageLoading
import TerminalPictures
import TestSupport
import Testing

struct AveragesTests {
    /// The definition: every source pixel is cut into as many parts as there are targets.
    private func plainMean(_ picture: Picture, to target: PixelSize) -> Picture {
        let (source, area) = (picture.size, picture.size.width * picture.size.height)
        var pixels: [UInt8] = []
        for y in 0..<target.height {
            for x in 0..<target.width {
                var sums = [0, 0, 0, 0]
                for row in y * source.height..<(y + 1) * source.height {
                    for column in x * source.width..<(x + 1) * source.width {
                        let place =
                            4
                            * (row / target.height * source.width + column / target.width)
                        for channel in 0..<4 {
                            sums[channel] += Int(picture.pixels[place + channel])
                        }
                    }
                }
                pixels += sums.map { UInt8((2 * $0 + area) / (2 * area)) }
            }
        }
        return Picture(size: target, pixels: pixels)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `a picture at any size is the mean of what lies under each pixel`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        let size = PixelSize.random(upTo: 12, using: &numbers)
        let target = PixelSize.random(upTo: 12, using: &numbers)
        let picture = Picture.random(size, using: &numbers)
        #expect(picture.averaged(to: target) == plainMean(picture, to: target))
    }

    @Test func `filling cuts the middle out`() {
        let picture = Picture.rows([
            [(9, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0), (9, 0, 0)],
            [(9, 0, 0), (5, 0, 0), (6, 0, 0), (7, 0, 0), (8, 0, 0), (9, 0, 0)],
        ])
        let middle = picture.averaged(to: PixelSize(width: 2, height: 1), isFilled: true)
        #expect(middle == .rows([[(4, 0, 0), (6, 0, 0)]]))
        let column = picture.averaged(to: PixelSize(width: 1, height: 2), isFilled: true)
        #expect(column.size == PixelSize(width: 1, height: 2))
    }

    @Test func `a picture at its own size is itself`() {
        let picture = Picture.rows([[(1, 2, 3), (4, 5, 6)]])
        #expect(picture.averaged(to: picture.size) == picture)
        #expect(picture.averaged(to: picture.size, isFilled: true) == picture)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `what isn't transparent comes back as it was`(seed: UInt64) {
        var numbers = SplitMix64(seed: seed)
        let picture = Picture.random(
            .random(upTo: 9, using: &numbers), isOpaque: true, using: &numbers)
        let colors = picture.pixels.enumerated().filter { $0.offset % 4 < 3 }.map(\.element)
        #expect(picture.opaqueBytes(over: .white) == colors)
    }

    @Test func `what is transparent shows the ground`() {
        let picture = Picture(
            size: PixelSize(width: 2, height: 1), pixels: [0, 0, 0, 0, 50, 0, 0, 51])
        let ground = TerminalColor(10, 200, 255)
        #expect(picture.opaqueBytes(over: ground) == [10, 200, 255, 58, 160, 204])
    }
}

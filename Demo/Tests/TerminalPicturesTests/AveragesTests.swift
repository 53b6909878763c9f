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

    @Test func `a picture at its own size is itself`() {
        let picture = Picture.rows([[(1, 2, 3), (4, 5, 6)]])
        #expect(picture.averaged(to: picture.size) == picture)
    }
}

import Foundation
import ImageLoading
import Testing

/// Four plain quarters, and a soft shade over all.
///
/// The files in `Pictures` were made of it; `Pictures/make` tells how.
struct Pattern {
    let size: PixelSize
    var hasAlpha = false

    init(_ width: Int, _ height: Int, hasAlpha: Bool = false) {
        size = PixelSize(width: width, height: height)
        self.hasAlpha = hasAlpha
    }

    private static let quarters: [SIMD4<Int>] = [
        [200, 30, 30, 255], [30, 180, 40, 200], [40, 60, 210, 120], [220, 220, 200, 0],
    ]

    /// Red, green, blue and alpha of a pixel, premultiplied.
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Int> {
        let quarter = (2 * y >= size.height ? 2 : 0) + (2 * x >= size.width ? 1 : 0)
        let shade = 20 * x / size.width + 15 * y / size.height
        var pixel = Self.quarters[quarter]
        if !hasAlpha { pixel[3] = 255 }
        for channel in 0..<3 { pixel[channel] = (pixel[channel] + shade) * pixel[3] / 255 }
        return pixel
    }

    private func isEdge(_ x: Int, _ y: Int) -> Bool {
        abs(2 * x + 1 - size.width) < 6 || abs(2 * y + 1 - size.height) < 6
    }

    /// The largest difference from a picture, in the mean of 8 pixels of a row.
    ///
    /// Where quarters meet, colours run into each other.
    func difference(from picture: Picture) -> Int {
        var most = 0
        for y in 0..<picture.size.height {
            for start in stride(from: 0, through: picture.size.width - 8, by: 8) {
                var sum = SIMD4<Int>.zero
                for x in start..<start + 8 {
                    if !isEdge(x, y) { sum &+= pixel(x, y) &- picture.pixel(x, y) }
                }
                for channel in 0..<4 { most = max(most, abs(sum[channel]) / 8) }
            }
        }
        return most
    }
}

extension Picture {
    func pixel(_ x: Int, _ y: Int) -> SIMD4<Int> {
        let start = 4 * (y * size.width + x)
        return SIMD4((0..<4).map { Int(pixels[start + $0]) })
    }
}

/// A file of the folder `Pictures`.
func file(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: place(of: name))) }

/// The place of a file of the folder `Pictures`.
func place(of name: String) throws -> URL {
    let folder = try #require(Bundle.module.url(forResource: "Pictures", withExtension: nil))
    return folder.appending(path: name)
}

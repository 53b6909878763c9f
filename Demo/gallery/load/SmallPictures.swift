internal import Foundation
internal import ImageLoading
internal import LullTesting

/// A temporary folder of small pictures that are quickly decoded, removed on deinitialization.
final class SmallPictures {
    /// The path of the folder.
    let path: String
    /// The path of a folder for their thumbnails, beside it and removed with it.
    var cache: String { "\(path)-cache" }

    private static let folders = 20
    private static let picturesPerFolder = 150

    /// Creates the pictures, all different.
    init(seed: UInt64) throws {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "gallery-soak-\(UUID().uuidString)")
        path = folder.path(percentEncoded: false)
        var random = SeededGenerator(seed: seed)
        for number in 0..<Self.folders {
            let place = folder.appending(path: "\(number)")
            try files.createDirectory(at: place, withIntermediateDirectories: true)
            for number in 0..<Self.picturesPerFolder {
                try Data(Self.picture(&random)).write(to: place.appending(path: "\(number).png"))
            }
        }
    }

    deinit {
        for path in [path, cache] { try? FileManager.default.removeItem(atPath: path) }
    }

    private static func picture(_ random: inout SeededGenerator) throws -> [UInt8] {
        let sizes = [(64, 48), (48, 64), (60, 40), (40, 40)]
        let (width, height) = sizes.randomElement(using: &random) ?? (40, 40)
        let color = (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } + [255]
        let pixels = (0..<width * height).flatMap { _ in color }
        let size = PixelSize(width: width, height: height)
        var encoder = try PNGEncoder(Picture(size: size, pixels: pixels))
        var file: [UInt8] = []
        while !encoder.step(into: &file) {}
        return file
    }
}

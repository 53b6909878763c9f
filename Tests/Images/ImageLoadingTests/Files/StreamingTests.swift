import Glibc
import ImageLoading
import TestSupport
import Testing

@Suite struct `A file that is read in pieces` {
    private static let values: [UInt8] = {
        var random = SplitMix64(seed: 9)
        return (0..<400 * 300 / 2).flatMap { _ in
            let eight = random.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: eight >> (8 * $0)) }
        }
    }()

    /// A picture whose files are far longer than what a decoder holds of them.
    private static func noise(_ kind: Kind) -> [UInt8] {
        let sample = Sample(400, 300)
        let three = Array(values[..<(3 * 400 * 300)])
        return switch kind {
        case .progressive: sample.jpeg(three, 3, progressive: true)
        case .arithmetic: sample.jpeg(three, 3, arithmetic: true)
        case .grey: sample.jpeg(Array(values[..<(400 * 300)]), 1)
        case .inks: sample.jpeg(values, 4, ycck: true)
        case .rgb: sample.png(three, type: 2)
        case .rgba: sample.png(values, type: 6)
        case .interlaced: sample.png(values, type: 6, interlaced: true)
        case .deep: sample.png(values + values, type: 6, depth: 16)
        case .lossyWebP: sample.webp(values)
        case .losslessWebP: sample.webp(values, lossless: true)
        case .gif: gif(values)
        case .interlacedGIF: gif(values, isInterlaced: true)
        default: sample.jpeg(three, 3)
        }
    }

    private static func gif(_ values: [UInt8], isInterlaced: Bool = false) -> [UInt8] {
        var gif = GIF(
            size: PixelSize(width: 400, height: 300), indices: Array(values[..<(400 * 300)]),
            palette: (0...255).map { [$0, $0, $0] })
        gif.isInterlaced = isInterlaced
        return gif.encoded()
    }

    private static let targetSize = PixelSize(width: 100, height: 100)

    @Test(arguments: Kind.allCases)
    func `gives the same picture as bytes in memory`(kind: Kind) throws {
        let bytes = Self.noise(kind)
        #expect(bytes.count > 80_000)
        let picture = try PictureJob(.bytes(bytes), named: "", fitting: Self.targetSize).decode()
        #expect(try decode(bytes, fitting: Self.targetSize) == picture)
    }

    @Test func `is not held in memory`() throws {
        let bytes = Self.noise(.baseline)
        let file = TemporaryFile(bytes)
        let picture = try PictureJob(.file(file.path), fitting: .ample).decode()
        let decoder = PictureJob(.file(file.path), fitting: .ample)
        for _ in 0..<10 { _ = try decoder.step() }
        // What is changed behind the part that was read is seen, and spoils the picture.
        let zeros = [UInt8](repeating: 0, count: 1000)
        let descriptor = unsafe open(file.path, O_WRONLY)
        #expect(unsafe pwrite(descriptor, zeros, 1000, off_t(bytes.count - 2000)) == 1000)
        close(descriptor)
        let other = try? decoder.decode()
        #expect(other != picture)
    }
}

import Testing

@testable import ImageLoading

/// What a file's structure may cost, counted in reads, bytes and steps: the table in `PictureLimits`.
@Suite struct `The structure of a hostile file` {
    /// A file, and what a step may read of it.
    struct Trap: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        /// The most reads and bytes of a step.
        let step: (reads: Int, bytes: Int)
        /// How many steps there are at least, where one could do it all.
        var steps = 3
    }

    @Test(arguments: Self.jpegs + Self.pngs + Self.webps + Self.gifs)
    func `costs no step more than its bound, and all steps no more than the file`(trap: Trap) {
        let file = TemporaryFile(trap.bytes)
        let decoder = PictureJob(.file(file.path), fitting: PixelSize(width: 8, height: 8))
        var (steps, bytes, isOver) = (0, 0, false)
        while !isOver {
            let reads = Reads()
            reads.watch {
                do { if case .done = try decoder.step() { isOver = true } } catch { isOver = true }
            }
            steps += 1
            bytes += reads.bytes
            #expect(reads.all.count <= trap.step.reads && reads.bytes <= trap.step.bytes)
        }
        #expect(steps >= trap.steps)
        #expect(bytes <= 3 * trap.bytes.count + 1 << 20)
    }

    // MARK: - Files

    private static let jpegs: [Trap] = {
        let jpeg = Sample(16, 16).jpeg()
        let empty: [UInt8] = [0xFF, 0xFE, 0, 2]
        let long = [0xFF, 0xFE, 0x27, 0x10] + [UInt8](repeating: 0, count: 9998)
        func with(_ segment: [UInt8], _ count: Int, at place: Int = 2) -> [UInt8] {
            Array(jpeg[..<place]) + [[UInt8]](repeating: segment, count: count).joined()
                + jpeg[place...]
        }
        let scan = jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA }!
        return [
            Trap(
                testDescription: "a JPEG of empty segments", bytes: with(empty, 50_000),
                step: (2, 8 << 10), steps: 2),
            Trap(
                testDescription: "a JPEG of long segments", bytes: with(long, 990),
                step: (2000, 1 << 20)),
            Trap(
                testDescription: "a JPEG of empty segments before its pixels",
                bytes: with(empty, 50_000, at: scan), step: (3, 140 << 10)),
            Trap(
                testDescription: "a JPEG of bytes between its segments",
                bytes: with([0], 1 << 20), step: (20, 80 << 10), steps: 2),
        ]
    }()

    private static let pngs: [Trap] = {
        let png = Sample(16, 16).rgbPNG()
        let hidden = Hostile.chunk("zTXt", [UInt8](repeating: 0, count: 70_000))
        let empty = Hostile.chunk("IDAT", [])
        func with(_ chunk: [UInt8], _ count: Int) -> [UInt8] {
            Array(png[..<33]) + [[UInt8]](repeating: chunk, count: count).joined() + png[33...]
        }
        return [
            Trap(
                testDescription: "a PNG of hidden chunks", bytes: with(hidden, 200),
                step: (260, 1 << 20)),
            Trap(
                testDescription: "a PNG of chunks of nothing", bytes: with(empty, 20_000),
                step: (4, 80 << 10)),
            Trap(
                testDescription: "a PNG of rows that are packed in far more", bytes: paddedPNG(),
                step: (4, 200 << 10), steps: 80),
            Trap(
                testDescription: "a PNG that says again and again where its notes begin",
                bytes: Array(png.dropLast(12))
                    + Hostile.chunk("IDAT", [UInt8]("eXIf".utf8) + [UInt8](repeating: 0, count: 8))
                    + [[UInt8]](
                        repeating: [0, 0, 0, 0] + Array("eXIf".utf8) + [0, 0, 0, 0], count: 20_000
                    ).joined(), step: (6, 160 << 10)),
        ]
    }()

    /// A PNG of one pixel a row, each row behind thousands of deflate blocks with nothing in them.
    private static func paddedPNG() -> [UInt8] {
        let rows = 200
        let nothing = [[UInt8]](repeating: [0, 0, 0, 0xFF, 0xFF], count: 6000).joined()
        let row: [UInt8] = [0, 2, 0, 0xFD, 0xFF, 0, 0]
        let packed = [[UInt8]](repeating: nothing + row, count: rows).joined()
        let sum: [UInt8] = [UInt8(2 * rows >> 8), UInt8(2 * rows & 255), 0, 1]
        let end: [UInt8] = [1, 0, 0, 0xFF, 0xFF]
        return Hostile.signature + Hostile.header(1, rows, 8, 0)
            + Hostile.chunk("IDAT", [0x78, 1] + packed + end + sum) + Hostile.chunk("IEND", [])
    }

    private static let webps: [Trap] = {
        let size = PixelSize(width: 16, height: 16)
        let canvas = webPCanvas(size, flags: 8)
        let picture = webPImageData(Sample(16, 16).webp())
        let small = [[UInt8]](repeating: webPChunk("ABCD", []), count: 20_000).joined()
        return [
            Trap(
                testDescription: "a WebP of chunks before its picture",
                bytes: webPFile(canvas + small + picture), step: (110, 2 << 10), steps: 2),
            Trap(
                testDescription: "a WebP of chunks before its notes",
                bytes: webPFile(canvas + picture + small), step: (1010, 10 << 10)),
        ]
    }()

    private static let gifs: [Trap] = {
        let empty: [UInt8] = [0x21, 0xFE, 0]
        let full = [0x21, 0xFE, 255] + [UInt8](repeating: 1, count: 255) + [0]
        // A line of the frame is ten thousand times as wide as the screen.
        var wide = GIF(
            size: PixelSize(width: 1, height: 40),
            indices: [UInt8](repeating: 0, count: 20_000 * 40), palette: [[0, 0, 0]])
        wide.frame = PixelSize(width: 20_000, height: 40)
        return [
            Trap(
                testDescription: "a GIF of empty extensions",
                bytes: Hostile.gif(extensions: [[UInt8]](repeating: empty, count: 500_000)),
                step: (8, 30 << 10), steps: 2),
            Trap(
                testDescription: "a GIF of full extensions",
                bytes: Hostile.gif(extensions: [[UInt8]](repeating: full, count: 10_000)),
                step: (1100, 3 << 20), steps: 2),
            Trap(
                testDescription: "a GIF of codes that begin anew", bytes: restlessGIF(),
                step: (4, 16 << 10), steps: 250),
            Trap(
                testDescription: "a GIF wider than its screen", bytes: wide.encoded(),
                step: (4, 16 << 10), steps: 40),
        ]
    }()

    /// A GIF of one pixel a line, each behind thousands of codes that begin anew.
    private static func restlessGIF() -> [UInt8] {
        let lines = 1000
        // Three bytes hold eight codes of three bits: 4 begins anew, 0 is a pixel.
        let clears = [[UInt8]](repeating: [0x24, 0x49, 0x92], count: 400).joined()
        let line = Array(clears) + [0x24, 0x49, 0x12]
        let data = Array([[UInt8]](repeating: line, count: lines).joined())
        var bytes = Array("GIF89a".utf8) + [1, 0, UInt8(lines & 255), UInt8(lines >> 8), 0, 0, 0]
        bytes += [0x2C, 0, 0, 0, 0, 1, 0, UInt8(lines & 255), UInt8(lines >> 8), 0, 2]
        for start in stride(from: 0, to: data.count, by: 255) {
            let block = data[start..<min(start + 255, data.count)]
            bytes += [UInt8(block.count)] + block
        }
        return bytes + [0, 0x3B]
    }
}

import Glibc
import ImageLoading
import Testing

/// What is refused, and why, in a table of all formats: at a bound, and within it.
@Suite struct `A file beyond a bound` {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        var limits = PictureLimits()
        /// Why it's refused; nil for a picture.
        var reason: PictureError.Reason?

        init(
            _ name: String, _ bytes: [UInt8], _ reason: PictureError.Reason? = nil,
            _ change: (inout PictureLimits) -> Void = { _ in }
        ) {
            (testDescription, self.bytes, self.reason) = (name, bytes, reason)
            change(&limits)
        }
    }

    @Test(arguments: jpegs + pngs + webPs + gifs)
    func `is refused, and one within it is a picture`(file: Case) {
        #expect(failure(file.bytes, limits: file.limits) == file.reason)
        // Who reads only headers is told the same, or nothing of what comes later.
        let header = Result { () throws(PictureError) in
            try PictureHeader.read(.bytes(file.bytes), named: "", limits: file.limits)
        }
        if case .failure(let error) = header { #expect(error.reason == file.reason) }
    }

    @Test(arguments: [(-1, 0), (0, 9), (9, 0), (.min, .max)])
    func `of a target is one pixel on each side`(width: Int, height: Int) {
        let target = PixelSize(width: width, height: height)
        let error = #expect(throws: PictureError.self) {
            try decode(Sample(64, 64).jpeg(), fitting: target)
        }
        #expect(error?.reason == .unsupported("a target size of \(width)x\(height)"))
    }

    @Test func `holds for the coefficients of a progressive JPEG`() {
        let bytes = Self.claiming(11_000, 11_000, Sample(16, 16).jpeg(progressive: true))
        guard case .tooLarge(.decoderMemory, let found, _) = failure(bytes) else {
            Issue.record("\(String(describing: failure(bytes)))")
            return
        }
        #expect(found > 96_000_000)
    }

    @Test func `holds for warnings, and what they are of is passed over within it`() throws {
        let whole = Sample(90, 90).jpeg(restartRows: 1)
        var damaged = whole
        let restart = try #require(
            damaged.indices.dropLast().first { damaged[$0] == 0xFF && damaged[$0 + 1] == 0xD2 })
        // A byte fewer in one stretch: its end comes too early, and the next begins anew.
        damaged.remove(at: restart - 1)
        guard case .corrupt = failure(damaged, limits: PictureLimits(warnings: 0)) else {
            Issue.record("a warning is one too many")
            return
        }
        #expect(try decode(damaged)[80, 80] == decode(whole)[80, 80])
    }

    @Test func `of its length is refused before it is read`() {
        let file = TemporaryFile([0xFF, 0xD8, 0xFF])
        let count = 10 << 30
        #expect(unsafe truncate(file.path, count) == 0)
        let reason = PictureError.Reason.tooLarge(.bytes, found: count, limit: 64 << 20)
        #expect(throws: PictureError(file: file.path, reason: reason)) {
            try PictureJob(.file(file.path), fitting: .ample).decode()
        }
    }

    // MARK: - Files

    /// The JPEG with another size in its frame header.
    private static func claiming(_ width: Int, _ height: Int, _ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let frame = bytes.indices.first { index in
            bytes[index] == 0xFF && (bytes[index + 1] == 0xC0 || bytes[index + 1] == 0xC2)
        }!
        let size = [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) }
        bytes.replaceSubrange(frame + 5..<frame + 9, with: size)
        return bytes
    }

    /// Bytes with others at a place.
    private static func bytes(_ bytes: [UInt8], with more: [UInt8], at place: Int) -> [UInt8] {
        Array(bytes[..<place]) + more + bytes[place...]
    }

    private static func many(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
        Array([[UInt8]](repeating: bytes, count: count).joined())
    }

    private static let jpegs: [Case] = {
        let jpeg = Sample(40, 40).jpeg()
        let progressive = Sample(40, 40).jpeg(progressive: true)
        let comment = [0xFF, 0xFE, 0x40, 0] + [UInt8](repeating: 0x41, count: 0x3FFE)
        let stray = [UInt8](repeating: 0x20, count: 60_000)
        let padding = [UInt8](repeating: 0xFF, count: 300_000)
        let ended = PictureError.Reason.corrupt("Corrupt JPEG data: premature end of data segment")
        let padded = [jpeg, progressive].flatMap { bytes in
            [UInt8(0xC4), 0xDA, 0xD9].map { marker in
                let place = bytes.indices.dropLast().last {
                    bytes[$0] == 0xFF && bytes[$0 + 1] == marker
                }!
                // Padding is dropped from the pixels of one scan, at whose end it isn't read again.
                let isDropped = bytes == jpeg && marker == 0xD9
                return Case(
                    "padding before marker \(marker)", Self.bytes(bytes, with: padding, at: place),
                    isDropped ? nil : .corrupt("no end of padding"))
            }
        }
        return padded + [
            Case("bytes", jpeg, .tooLarge(.bytes, found: jpeg.count, limit: 100)) {
                $0.fileBytes = 100
            },
            Case("no bytes", [], .empty),
            Case(
                "the largest JPEG", claiming(65_500, 65_500, jpeg),
                .tooLarge(.pixels, found: 65_500 * 65_500, limit: 128_000_000)),
            Case(
                "the largest progressive JPEG", claiming(65_500, 65_500, progressive),
                .tooLarge(.pixels, found: 65_500 * 65_500, limit: 128_000_000)),
            Case("a JPEG of less than it says", claiming(11_000, 11_000, jpeg), ended),
            Case(
                "a JPEG too wide", claiming(65_501, 16, jpeg),
                .unsupported("Maximum supported image dimension is 65500 pixels")),
            Case("scans", progressive, .tooLarge(.scans, found: 6, limit: 5)) { $0.scans = 5 },
            Case(
                "thousands of scans", Hostile.manyScans(progressive, times: 4000),
                .tooLarge(.scans, found: 101, limit: 100)
            ) { $0.warnings = .max },
            Case(
                "a JPEG of another process", [0xFF, 0xD8, 0xFF, 0xC3, 0, 17],
                .unsupported("JPEG process c3")),
            Case("strays and comments", bytes(jpeg, with: comment + stray + comment, at: 2)),
            Case("padding", bytes(jpeg, with: Array(padding[..<60_000]), at: 2)),
            Case(
                "more strays", bytes(jpeg, with: comment + stray + comment + stray, at: 2),
                .corrupt("no JPEG marker in 65536 bytes")),
            Case(
                "segments", bytes(jpeg, with: many([0xFF, 0xFE, 0, 2], 1000), at: 2),
                .corrupt("too many segments")),
        ]
    }()

    private static let pngs: [Case] = {
        let (png, interlaced) = (Sample(16, 16).rgbPNG(), Sample(64, 64).rgbaPNG(interlaced: true))
        func changed(_ place: Int, _ bytes: [UInt8]) -> [UInt8] {
            var png = png
            png.replaceSubrange(place..<place + bytes.count, with: bytes)
            return png
        }
        let side = 0x7FFF_FFFF
        let sides: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF]
        // Length 3, a name, three bytes, and a wrong checksum that nobody looks at.
        let text: [UInt8] = [0, 0, 0, 3, 0x7A, 0x54, 0x58, 0x74, 1, 2, 3, 0, 0, 0, 0]
        let short = Hostile.flatPNG(64, 64, rows: 63)
        return [
            Case("pixels", png, .tooLarge(.pixels, found: 256, limit: 255)) { $0.pixels = 255 },
            Case("as many pixels as may be", png) { $0.pixels = 256 },
            Case(
                "a PNG that unfolds to a gigabyte", Hostile.flatPNG(30_000, 30_000, rows: 300),
                .tooLarge(.pixels, found: 900_000_000, limit: 128_000_000)),
            Case(
                "a PNG of 2^62 pixels", changed(16, sides),
                .tooLarge(.pixels, found: side * side, limit: 128_000_000)),
            Case(
                "a PNG of 2^63 pixels", changed(16, [0xFF] + sides.dropFirst()),
                .corrupt("a PNG of 4294967295x2147483647 pixels")),
            Case(
                "a PNG too wide", changed(16, [0, 1, 0, 0]),
                .unsupported("a picture of 65536x16 pixels")),
            Case("a colour type", changed(25, [7]), .corrupt("PNG colour type 7")),
            Case("a PNG a row short", short, .corrupt("Not enough image data")),
            Case(
                "memory", interlaced,
                .tooLarge(.decoderMemory, found: 64 * 64 * 4, limit: 64 * 64 * 4 - 1)
            ) { $0.decoderMemory = 64 * 64 * 4 - 1 },
            Case("as much memory as may be", interlaced) { $0.decoderMemory = 64 * 64 * 4 },
            Case("chunks", bytes(png, with: many(text, 900), at: 33)),
            Case(
                "more chunks", bytes(png, with: many(text, 1100), at: 33),
                .corrupt("too many chunks without pixels")),
        ]
    }()

    private static let webPs: [Case] = {
        let sample = Sample(80, 60)
        let (still, lossless) = (sample.webp(), sample.webp(lossless: true))
        let (canvas, data) = (webPCanvas(sample.size, flags: 0), webPImageData(still))
        var empty = still
        for index in 26..<30 { empty[index] = 0 }
        let bits: [UInt8] = [0x2F, 0xFE, 0xBF, 0xFF, 0x0F, 0, 0, 0]
        let other = webPCanvas(PixelSize(width: 81, height: 60), flags: 0)
        return [
            Case(
                "a frame beyond its canvas",
                webPAnimation(still, of: sample.size, on: sample.size, x: 2),
                .corrupt("a WebP frame beyond its canvas")),
            Case(
                "a frame of another size",
                webPAnimation(still, of: PixelSize(width: 70, height: 60), on: sample.size),
                .corrupt("a WebP frame of 80x60 pixels that says it has 70x60")),
            Case(
                "a canvas of another size", webPFile(other + data),
                .corrupt("a WebP picture of 80x60 pixels on a canvas of 81x60")),
            Case("no pixels", empty, .corrupt("a WebP picture of 0x0 pixels")),
            Case("a profile", webPFile(canvas + webPChunk("ICCP", many([7], 100_001)) + data)),
            Case(
                "chunks", webPFile(canvas + many(webPChunk("????", [1]), 100) + data),
                .corrupt("too many chunks before the WebP picture")),
            Case(
                "memory", lossless,
                .tooLarge(.decoderMemory, found: 80 * 60 * 4, limit: 10_000)
            ) { $0.decoderMemory = 10_000 },
            Case("memory that isn't needed", still) { $0.decoderMemory = 10_000 },
            Case(
                "the largest WebP", webPFile(webPChunk("VP8L", bits)),
                .tooLarge(.pixels, found: 16_383 * 16_383, limit: 128_000_000)),
        ]
    }()

    private static let gifs: [Case] = {
        let screen: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0]
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
        let wide: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0]
        func commented(_ pieces: Int) -> [UInt8] {
            var gif = GIF(Sample(30, 30))
            gif.extensions = [0x21, 0xFE] + many([2, 65, 65], pieces) + [0]
            return gif.encoded()
        }
        let interlaced = GIF(Sample(64, 64), isInterlaced: true).encoded()
        return [
            Case("no picture", screen + [0x3B], .corrupt("a GIF without a picture")),
            Case(
                "no columns", screen + [0x2C, 0, 0, 0, 0, 0, 0, 30, 0, 0],
                .corrupt("a GIF frame of 0x30 pixels")),
            Case("a block", screen + [0x77], .corrupt("GIF block 77")),
            Case("values", screen + frame + [12, 1, 0, 0], .corrupt("GIF values of 12 bits")),
            // Codes of three bits: 6 before any other, 7 after the value 0, and the end.
            Case(
                "a code too early", screen + frame + [2, 1, 6, 0],
                .corrupt("GIF data that begin in the middle")),
            Case(
                "a code too high", screen + wide + [2, 1, 0b111_000, 0],
                .corrupt("a GIF code that is not defined yet")),
            Case(
                "an end too early", screen + frame + [2, 1, 5, 0],
                .truncated(rowsDecoded: 0, of: 1)),
            Case("comments", commented(8000)),
            Case("more comments", commented(8200), .corrupt("too much before the GIF picture")),
            Case(
                "memory", interlaced, .tooLarge(.decoderMemory, found: 64 * 64, limit: 4000)
            ) { $0.decoderMemory = 4000 },
            Case("memory that isn't needed", GIF(Sample(64, 64)).encoded()) {
                $0.decoderMemory = 4000
            },
        ]
    }()
}

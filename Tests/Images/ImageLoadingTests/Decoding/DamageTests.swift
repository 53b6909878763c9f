import CPictureEncoders
import ImageLoading
import TestSupport
import Testing

@Suite struct `A damaged file` {
    private let sample = Sample(160, 120)

    @Test(arguments: Kind.allCases)
    func `gives what is there, marked, or an error, wherever it is cut`(kind: Kind) throws {
        let bytes = kind.encoded(Sample(24, 20))
        let file = TemporaryFile(bytes)
        let whole = try PictureJob(.file(file.path), fitting: .ample).decode()
        var counts = (sound: 0, damaged: 0, failed: 0)
        for count in bytes.indices {
            file.write(Array(bytes[..<count]))
            do throws(PictureError) {
                let picture = try PictureJob(.file(file.path), fitting: .ample).decode()
                #expect(picture.size == whole.size)
                guard let damage = picture.damage else {
                    counts.sound += 1
                    #expect(picture == whole, "cut to \(count) of \(bytes.count) bytes")
                    continue
                }
                counts.damaged += 1
                guard case .truncated(let rows, of: 20) = damage else {
                    Issue.record("cut to \(count) bytes: \(damage)")
                    continue
                }
                #expect(picture.pixels.contains { $0 != 0 })
                let known = 4 * 24 * rows
                #expect(picture.pixels.prefix(known).elementsEqual(whole.pixels.prefix(known)))
            } catch {
                counts.failed += 1
                switch error.reason {
                case .truncated(let rows, let all): #expect(10 * rows <= all)
                case .empty: #expect(count == 0)
                default: Issue.record("cut to \(count) bytes: \(error)")
                }
            }
        }
        #expect(counts.sound < 40 && counts.damaged > 0 && counts.failed > 0)
        #expect(file.openDescriptors == 0)
    }

    private func scan(of bytes: [UInt8], _ number: Int) throws -> Int {
        let starts = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        try #require(starts.count > number)
        return starts[number]
    }

    /// The bytes that may stand where the end mark of a JPEG should be.
    private static let trailers: [[UInt8]] = [
        [], [0], [0xFF], [0xFF, 0xD9], [0xFF, 0xD9, 0xFF, 0xD9, 1], Array("a text".utf8),
        [UInt8](repeating: 0, count: 70_000), [0xFF, 0xD8, 0xFF, 0xE0, 0, 16],
        [0xFF, 0x00, 0xFF, 0xD0, 0xFF, 0xC4, 0, 3, 9], [0xFF, 0xE1, 0xFF, 0xFF],
        [0xFF, 0xC0, 0, 2], Sample(8, 8).jpeg(), Array("\0\0\0\u{18}ftypmp42".utf8),
    ]

    @Test(arguments: trailers)
    func `is whole if a JPEG of whatever scans only lacks its end mark`(trailer: [UInt8]) throws {
        for bytes in [
            sample.jpeg(), sample.jpeg(progressive: true), sample.jpeg(separate: true),
            sample.inkJPEG(ycck: true), sample.jpeg(progressive: true, restartRows: 1),
        ] {
            let whole = try decode(bytes)
            #expect(try decode(bytes.dropLast(2) + trailer) == whole)
            #expect(try decode(bytes + trailer) == whole)
        }
    }

    @Test func `shows less detail, or less colour, without the last scans`() throws {
        let whole = try decode(sample.jpeg())
        for (bytes, least) in [
            (sample.jpeg(progressive: true), 20.0), (sample.jpeg(separate: true), 10),
        ] {
            for number in 1...2 {
                let start = try scan(of: bytes, number)
                let picture = try decode(Array(bytes[..<(start + 14)]))
                #expect(picture.damage == .truncated(rowsDecoded: 0, of: 120))
                #expect(picture.ratio(to: whole) > least)
                #expect(
                    picture.pixels.indices.allSatisfy { $0 % 4 < 3 || picture.pixels[$0] == 255 })
            }
        }
    }

    private func stepped(
        _ bytes: [UInt8], _ targetSize: PixelSize
    ) throws -> (picture: Picture, steps: Int) {
        let job = PictureJob(.bytes(bytes), named: "a", fitting: targetSize)
        var steps = 1
        while true {
            if case .done(let picture) = try job.step() { return (picture, steps) }
            steps += 1
        }
    }

    @Test(arguments: [160, 60, 8])
    func `is scaled like a whole one, and ends where the file does`(side: Int) throws {
        let targetSize = PixelSize(width: side, height: side)
        let size = sample.size.fitted(in: targetSize)
        let photo = Photo(seed: 4, width: 160, height: 120).sample
        let opaque = stride(from: 0, to: photo.values.count, by: 3).flatMap {
            photo.values[$0..<$0 + 3] + [255]
        }
        var gif = GIF(sample)
        gif.palette = (0...255).map { [$0, $0, $0] }
        gif.indices = stride(from: 0, to: photo.values.count, by: 3).map { photo.values[$0] }
        for bytes in [
            photo.jpeg(), sample.png(photo.values, type: 2), sample.webp(opaque), gif.encoded(),
        ] {
            let (whole, steps) = try stepped(bytes, targetSize)
            let cut = Array(bytes.prefix(bytes.count * 3 / 5))
            let (picture, fewer) = try stepped(cut, targetSize)
            #expect(fewer <= steps + 10)
            guard case .truncated(let rows, of: 120)? = picture.damage else {
                Issue.record("\(String(describing: picture.damage))")
                continue
            }
            #expect(picture.size == size && rows >= 12 && rows < 120)
            let (known, end) = (rows * size.height / 120, (rows * size.height + 119) / 120)
            #expect(picture[0, 0][3] == 255)
            for y in 0..<size.height {
                for x in [0, size.width / 4, size.width - 1] {
                    let difference = picture[x, y] &- whole[x, y]
                    if y < known - 1 { #expect((0..<4).allSatisfy { abs(difference[$0]) <= 3 }) }
                    if y >= end { #expect(picture[x, y] == .zero) }
                }
            }
        }
    }

    @Test func `shows what is sound around damaged JPEG data`() throws {
        let photo = Photo(seed: 5, width: 320, height: 240).sample
        let bytes = photo.jpeg()
        let whole = try decode(bytes)
        for (place, count, value) in [(3, 1000, UInt8(0)), (4, 300, 0x55), (5, 64, 0xFF)] {
            var damaged = bytes
            let start = bytes.count * place / 8
            for index in start..<start + count { damaged[index] = value }
            let picture = try decode(damaged)
            guard case .corrupt(let message)? = picture.damage else {
                Issue.record("\(place): \(String(describing: picture.damage))")
                continue
            }
            #expect(message.hasPrefix("Corrupt JPEG data"))
            let sound = 4 * 320 * 240 * (place - 1) / 8
            #expect(picture.pixels.prefix(sound).elementsEqual(whole.pixels.prefix(sound)))
        }
    }

    @Test func `is marked if JPEG data are left over, but not for padding`() throws {
        let photo = Photo(seed: 5, width: 320, height: 240).sample
        for bytes in [photo.jpeg(), photo.jpeg(progressive: true)] {
            let whole = try decode(bytes)
            let end = bytes.count - 2
            let rest = Array(bytes[(end - 100)..<end])
            #expect(try decode(bytes[..<end] + rest + bytes[end...]).isDamaged)
            #expect(try decode(bytes[..<end] + [7, 1, 2] + bytes[end...]) == whole)
        }
        let zeros = [UInt8](repeating: 0, count: 500)
        let bytes = photo.jpeg()
        #expect(try decode(bytes.dropLast(2) + zeros + bytes.suffix(2)) == decode(bytes))
    }

    @Test func `goes on after a marker that came into JPEG data, if others tell where`() throws {
        let bytes = sample.jpeg(restartRows: 1)
        let whole = try decode(bytes)
        for marker in [UInt8(0xC4), 0xD8, 0xE1, 0x02, 0xDA] {
            var damaged = bytes
            let start = try #require(
                bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD2 })
            (damaged[start + 20], damaged[start + 21]) = (0xFF, marker)
            let picture = try decode(damaged)
            #expect(picture.isDamaged)
            #expect(picture[10, 30] == whole[10, 30] && picture[80, 115] == whole[80, 115])
        }
    }

    @Test func `uses the data of a PNG chunk with a wrong checksum`() throws {
        for bytes in [sample.rgbPNG(), sample.rgbaPNG(interlaced: true), sample.deepPNG()] {
            var wrong = bytes
            wrong[bytes.count - 13] ^= 0x80
            let picture = try decode(wrong)
            #expect(picture.damage == .corrupt("IDAT: CRC error"))
            #expect(try picture.pixels == decode(bytes).pixels)
        }
        let palette = sample.png(sample.rows { [$0[0] / 16] }, type: 3)
        var wrong = palette
        let place = try #require(palette.indices.first { palette[$0...].starts(with: "IDAT".utf8) })
        wrong[place - 5] ^= 1
        #expect(try decode(wrong).damage == .corrupt("PLTE: CRC error"))
    }

    @Test func `shows an interlaced one as exactly as its passes go`() throws {
        for bytes in [sample.rgbaPNG(interlaced: true), GIF(sample, isInterlaced: true).encoded()] {
            let whole = try decode(bytes)
            var last = 0.0
            for share in [4, 5, 6, 7] {
                let picture = try decode(Array(bytes.prefix(bytes.count * share / 8)))
                #expect(picture.isDamaged)
                let found = zip(picture.quarters, whole.quarters)
                let isAlike = found.allSatisfy { a, b in
                    (0..<4).allSatisfy { abs(a[$0] - b[$0]) <= 12 }
                }
                #expect(isAlike, "\(share)")
                let ratio = picture.ratio(to: whole)
                #expect(ratio >= last)
                last = ratio
            }
        }
    }

    @Test func `shows a WebP without its alpha if only that is damaged`() throws {
        let bytes = sample.webp(hasAlpha: true)
        let alpha = try #require(bytes.indices.first { bytes[$0...].starts(with: "ALPH".utf8) })
        var damaged = bytes
        for index in alpha + 9..<alpha + 40 { damaged[index] = 0xA5 }
        let picture = try decode(damaged)
        guard picture.isDamaged else { return }
        let whole = try decode(sample.webp())
        for (found, wanted) in zip(picture.quarters, whole.quarters) {
            #expect(found[3] == 255)
            #expect((0..<3).allSatisfy { abs(found[$0] - wanted[$0]) <= 12 })
        }
    }

    @Test func `is an error if nothing of it would be seen`() {
        var gif = GIF(sample)
        gif.screen = PixelSize(width: 160, height: 500)
        gif.y = 300
        let bytes = gif.encoded()
        let frame = bytes.indices.first { bytes[$0...].starts(with: [0x2C, 0, 0, 44, 1]) }
        let cut = Array(bytes.prefix((frame ?? 0) + 20))
        #expect(throws: PictureError.self) { try decode(cut) }
        // Less than a tenth of the rows.
        #expect(throws: PictureError.self) {
            try decode(Array(sample.rgbPNG().prefix(sample.rgbPNG().count / 20)))
        }
    }
}

import Testing

@testable import ImageFormatsHEIF
@testable import ImageLoading

@Suite struct `A HEIC or AVIF picture` {
    @Test(arguments: [
        ("plain.heic", Pattern(64, 48)), ("ten.heic", Pattern(64, 48)),
        ("odd.heic", Pattern(61, 45)), ("alpha.heic", Pattern(64, 48, hasAlpha: true)),
        ("thumbnail.heic", Pattern(256, 192)), ("plain.avif", Pattern(64, 48)),
        ("ten.avif", Pattern(64, 48)), ("twelve.avif", Pattern(64, 48)),
        ("alpha.avif", Pattern(64, 48, hasAlpha: true)),
        ("premultiplied.avif", Pattern(64, 48, hasAlpha: true)), ("grid.avif", Pattern(256, 192)),
        ("thumbnail.avif", Pattern(256, 192)),
    ])
    func `has the pixels that were encoded`(name: String, pattern: Pattern) throws {
        let picture = try decode(file(name))
        #expect(picture.size == pattern.size)
        #expect(pattern.difference(from: picture) <= 6)
        let pixels = picture.pixels
        let isPremultiplied = pixels.indices.allSatisfy { pixels[$0] <= pixels[$0 | 3] }
        #expect(isPremultiplied)
    }

    @Test func `is shrunk as it is decoded`() throws {
        for name in ["thumbnail.heic", "grid.avif"] {
            let picture = try decode(file(name), fitting: PixelSize(width: 128, height: 128))
            #expect(Pattern(128, 96).difference(from: picture) <= 6)
        }
    }

    @Test func `may be grey`() throws {
        let picture = try decode(file("grey.avif"))
        #expect(picture.size == PixelSize(width: 61, height: 45))
        let pixel = picture.pixel(10, 10)
        #expect(pixel[0] == pixel[1] && pixel[1] == pixel[2] && pixel[3] == 255)
    }

    @Test(arguments: ["plain.heic", "plain.avif"])
    func `is turned and mirrored as its file says`(name: String) throws {
        let item = try Boxes.item(of: file(name))
        let upright = try decode(Boxes(items: [item]).bytes)
        for angle in UInt8(0)..<4 {
            for mirror in [nil, UInt8(0), 1] {
                var turned = item
                turned.properties.append(box("irot", [angle]))
                if let mirror { turned.properties.append(box("imir", [mirror])) }
                let picture = try decode(Boxes(items: [turned]).bytes)
                // Each step, by its definition: a quarter against the clock; then the rows, or the
                // columns, in reverse order.
                var expected = upright
                for _ in 0..<angle {
                    let (size, width) = (expected.size, expected.size.width)
                    expected = expected.rearranged(size.height, size.width) { x, y in
                        (width - 1 - y, x)
                    }
                }
                if let mirror {
                    let (width, height) = (expected.size.width, expected.size.height)
                    expected = expected.rearranged(width, height) { x, y in
                        mirror == 0 ? (x, height - 1 - y) : (width - 1 - x, y)
                    }
                }
                #expect(picture == expected, "\(angle) \(String(describing: mirror))")
            }
        }
    }

    @Test func `is cut before it is turned`() throws {
        let whole = try decode(file("plain.avif"))
        let cut = whole.rearranged(40, 30) { x, y in (x + 4, y + 6) }
        // A quarter against the clock, and top and bottom exchanged.
        #expect(try decode(file("turned.avif")) == cut.rearranged(30, 40) { x, y in (y, x) })
        var item = try Boxes.item(of: file("plain.avif"))
        item.properties += [box("irot", [1]), box("clap", (0..<4).flatMap { _ in number(1, 8) })]
        let bytes = Boxes(items: [item]).bytes
        let reason = PictureError.Reason.unsupported("a picture that is turned before it is cut")
        #expect(throws: reason) { try decode(bytes) }
    }

    @Test func `has a thumbnail that is a picture of its own`() throws {
        for name in ["thumbnail.heic", "thumbnail.avif"] {
            let header = try PictureHeader.read(
                .bytes(file(name)), named: name, decoders: .withHEIF)
            #expect(header.embeddedThumbnail?.size == PixelSize(width: 64, height: 48))
            let job = try job(file(name), fitting: PixelSize(width: 64, height: 64))
            let picture = try job.decode()
            #expect(job.usesThumbnail)
            #expect(Pattern(64, 48).difference(from: picture) <= 9)
        }
    }

    @Test(arguments: ["plain.heic", "plain.avif"])
    func `is put together from tiles`(name: String) throws {
        let tile = try Boxes.item(of: file(name))
        let one = try decode(Boxes(items: [tile]).bytes)
        let (width, height) = (one.size.width, one.size.height)
        let (columns, rows) = (5, 3)
        let (across, down) = (width * columns - 21, height * rows - 11)
        let picture = try decode(Boxes.grid(tile, columns, rows, across, down).bytes)
        #expect(picture == one.rearranged(across, down) { x, y in (x % width, y % height) })
    }

    @Test func `has the colours that its stream tells, if its boxes say nothing`() throws {
        var bytes = try file("plain.heic")
        var item = try Boxes.item(of: bytes)
        let plain = try decode(Boxes(items: [item]).bytes)
        item.properties.append(box("colr", "nclx".utf8 + [0, 2, 0, 2, 0, 6, 0]))
        let limited = try decode(Boxes(items: [item]).bytes)
        // The bit of the sequence's parameters by which values use their full range.
        bytes[323] ^= 1 << 4
        #expect(try decode(Boxes(items: [Boxes.item(of: bytes)]).bytes) == limited)
        #expect(limited != plain)
    }

    @Test func `has no seams where strips meet`() throws {
        let file = try HEIFFile(testFile(file("thumbnail.heic")))
        let picture = try HEIFPicture(file.table.primary, of: file)
        var work = DecoderCost(limits: PictureLimits())
        let data = try file.data(of: picture.image.tiles[0], atMost: 1 << 20)
        let units = try HEVCParameters.units(of: picture.image)
        let tile = try DecodedTile()
        try tile.decode(units + work.checkHEVC(data, of: picture.image), alpha: [], of: picture)
        var whole = PictureBuffer([UInt8](repeating: 0, count: 4 * 256 * 192))
        try tile.write(0..<192, width: 256, to: &whole, at: 0, rowBytes: 4 * 256, isSmooth: true)
        #expect(try decode(ImageFormatsHEIFTests.file("thumbnail.heic")).pixels == whole)
    }

    @Test func `has a header that says what is in it`() throws {
        func header(_ name: String) throws -> PictureHeader {
            try PictureHeader.read(.bytes(file(name)), named: name, decoders: .withHEIF)
        }
        let ten = try header("ten.heic")
        #expect(ten.format == .heic && ten.bytesPerSample == 2 && ten.channels == 3)
        #expect(try boxes(of: file("ten.heic")).image.depth == 10)
        #expect(try boxes(of: file("twelve.avif")).image.depth == 12)
        #expect(try header("grey.avif").channels == 1)
        #expect(try header("alpha.heic").channels == 4)
        #expect(try boxes(of: file("premultiplied.avif")).isPremultiplied)
        #expect(try boxes(of: file("grid.avif")).image.tiles.count == 4)
        let turned = try header("turned.avif")
        #expect(turned.format == .avif && turned.size == PixelSize(width: 40, height: 30))
        #expect(turned.orientation == .transposed)
        #expect(turned.orientedSize == PixelSize(width: 30, height: 40))
    }

    @Test func `is known only to who asks for it`() throws {
        let bytes = try file("plain.heic")
        let error = #expect(throws: PictureError.self) {
            try PictureJob(.bytes(bytes), named: "a", fitting: .ample).decode()
        }
        #expect(error?.reason == .unsupported("ISO media (heic)"))
    }

    @Test func `gives out its colour profile`() throws {
        var item = try Boxes.item(of: file("plain.heic"))
        item.properties.append(box("colr", "prof".utf8 + [1, 2, 3]))
        item.properties.append(box("colr", "nclx".utf8 + [0, 12, 0, 13, 0, 6, 0x80]))
        let color = try boxes(of: Boxes(items: [item]).bytes).color
        #expect(color.profile == [1, 2, 3] && color.profiled == .iccBytes([1, 2, 3]))
        #expect(color.code! == (12, 13, 6, true))
    }
}

extension Picture {
    /// A picture whose pixels come from this one.
    func rearranged(_ width: Int, _ height: Int, _ place: (Int, Int) -> (Int, Int)) -> Picture {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (fromX, fromY) = place(x, y)
                let start = 4 * (fromY * size.width + fromX)
                pixels += self.pixels[start..<start + 4]
            }
        }
        return Picture(size: PixelSize(width: width, height: height), pixels: pixels)
    }
}

import ImageLoading
import Testing

@testable import ImageFormatsHEIF

@Suite struct `A HEIC or AVIF picture with a part that can't be used` {
    private let alphaMark = full(
        "auxC", 0, "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8 + [])

    /// A picture with another as its alpha.
    private func boxes(_ main: Boxes.Item, alpha: Boxes.Item) -> Boxes {
        var alpha = alpha
        alpha.properties.append(alphaMark)
        return Boxes(items: [main, alpha], references: [("auxl", 2, [1])])
    }

    @Test(arguments: [
        ("plain.heic", "thumbnail.heic"), ("plain.heic", "ten.heic"),
        ("plain.heic", "plain.avif"), ("plain.avif", "grey.avif"), ("ten.avif", "plain.avif"),
    ])
    func `is shown without an alpha of another size, depth or coding, and marked`(
        name: String, alpha: String
    ) throws {
        let main = try Boxes.item(of: file(name))
        let alone = try decode(Boxes(items: [main]).bytes)
        let bytes = try boxes(main, alpha: Boxes.item(of: file(alpha))).bytes
        let picture = try decode(bytes)
        #expect(picture.pixels == alone.pixels)
        #expect(picture.damage == .unsupported("transparency of another size or depth"))
        let header = try PictureHeader.read(.bytes(bytes), named: "a", decoders: .withHEIF)
        #expect(header.size == picture.size && header.channels == 3)
    }

    @Test(arguments: ["plain.heic", "plain.avif"])
    func `is shown without an alpha that is damaged, or missing`(name: String) throws {
        let main = try Boxes.item(of: file(name))
        let alone = try decode(Boxes(items: [main]).bytes)
        var (wrong, sizeless, other) = (main, main, main)
        wrong.data = [UInt8](repeating: 0, count: 40)
        sizeless.properties = sizeless.properties.filter { !$0[4..<8].elementsEqual("ispe".utf8) }
        other.type = "jpeg"
        for alpha in [wrong, sizeless, other] {
            let picture = try decode(boxes(main, alpha: alpha).bytes)
            #expect(picture.pixels == alone.pixels && picture.isDamaged)
        }
        let whole = boxes(main, alpha: main).bytes
        let cut = try decode(Array(whole.dropLast(10)))
        #expect(cut.pixels == alone.pixels && cut.damage == .truncated(rowsDecoded: 0, of: 0))
        #expect(try !decode(whole).isDamaged)
    }

    @Test(arguments: ["plain.heic", "plain.avif"])
    func `has a place that is transparent for each tile that is damaged`(name: String) throws {
        let tile = try Boxes.item(of: file(name))
        let one = try decode(Boxes(items: [tile]).bytes)
        let (width, height) = (one.size.width, one.size.height)
        var grid = Boxes.grid(tile, 3, 2, 3 * width, 2 * height)
        grid.items[1].data = [UInt8](repeating: 0, count: 30)
        grid.items[5].data = []
        let picture = try decode(grid.bytes)
        let lost = [1, 5]
        let expected = one.rearranged(3 * width, 2 * height) { x, y in (x % width, y % height) }
        for y in [0, height - 1, height, 2 * height - 1] {
            for x in [0, width, 2 * width - 1, 2 * width, 3 * width - 1] {
                let isLost = lost.contains(y / height * 3 + x / width)
                let wanted = isLost ? [0, 0, 0, 0] : expected.pixel(x, y)
                #expect(picture.pixel(x, y) == wanted, "\(x) \(y)")
            }
        }
        #expect(picture.isDamaged)
        // The tiles of the second row are cut off.
        var pair = Boxes.grid(tile, 1, 2, width, 2 * height)
        (pair.items, pair.primary) = ([pair.items[2], tile, tile], 1)
        pair.references = [("dimg", 1, [2, 3])]
        let half = try decode(Array(pair.bytes.dropLast(20)))
        #expect(half.pixel(5, 5) == one.pixel(5, 5) && half.pixel(5, height + 5) == [0, 0, 0, 0])
        #expect(half.damage == .truncated(rowsDecoded: 0, of: 0))
        for index in 0..<6 { grid.items[index].data = [UInt8](repeating: 0, count: 30) }
        #expect(throws: PictureError.Reason.self) { try decode(grid.bytes) }
    }

    @Test(arguments: [
        ("mif2", "mif2mif1heic"), ("hevc", "mif1heic"), ("miaf", "mif1"), ("1pic", "heicmif1"),
        ("MA1B", "avifmif1miaf"), ("abcd", "efghijklmnopqrstuvwxmif1"), ("mif2", ""),
        ("heic", ""), ("avio", ""), ("isom", "iso8mp41heix"),
    ])
    func `is known by any of its brands`(major: String, others: String) throws {
        let name = major.hasPrefix("a") || major == "MA1B" ? "plain.avif" : "plain.heic"
        var boxes = Boxes(items: [try Boxes.item(of: file(name))])
        let picture = try decode(boxes.bytes)
        (boxes.brand, boxes.brands) = (major, others)
        #expect(try decode(boxes.bytes) == picture)
        #expect(
            try PictureHeader.read(.bytes(boxes.bytes), named: "a", decoders: .withHEIF).size
                == picture.size)
    }

    @Test func `isn't taken for a picture if it is other media`() throws {
        var boxes = Boxes(items: [try Boxes.item(of: file("plain.heic"))])
        for (major, others) in [("isom", "mp41mp42"), ("qt  ", ""), ("jxl ", "jxl "), ("M4A ", "")]
        {
            (boxes.brand, boxes.brands) = (major, others)
            #expect(throws: PictureError.Reason.unsupported("ISO media (\(major))")) {
                try decode(boxes.bytes)
            }
        }
        // The brands end with the first box.
        (boxes.brand, boxes.brands, boxes.before) = ("isom", "", box("free", "heicmif1".utf8 + []))
        #expect(throws: PictureError.Reason.self) { try decode(boxes.bytes) }
    }

    @Test func `needs neither references nor properties that are wrong, unless they matter`() throws
    {
        let item = try Boxes.item(of: file("plain.heic"))
        let plain = try decode(Boxes(items: [item]).bytes)
        var boxes = Boxes(items: [item], references: [("cdsc", 2, [1])])
        let bytes = boxes.bytes
        let mark = Array("cdsc".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: mark) })
        var wrong = bytes
        // More targets than there are bytes.
        wrong[place + 7] = 200
        #expect(try decode(wrong) == plain)
        // Metadata with a property that isn't there.
        boxes.items.append(Boxes.Item(type: "Exif", properties: [box("free", [])], data: [0]))
        var odd = boxes.bytes
        let ipma = try #require(odd.indices.first { odd[$0...].starts(with: Array("ipma".utf8)) })
        let end = odd[ipma...].indices.first {
            odd[$0...].starts(with: [0, 2, 1, 0, UInt8(item.properties.count + 1)])
        }
        odd[try #require(end) + 4] = 99
        #expect(try decode(odd) == plain)
    }
}

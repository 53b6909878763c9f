import ImageLoading
import Testing

@Suite struct `A HEIC or AVIF file from a stranger` {
    @Test(arguments: ["thumbnail.heic", "alpha.heic", "grid.avif", "alpha.avif"])
    func `is truncated, or shown as far as it is there, wherever it is cut`(name: String) throws {
        let bytes = try file(name)
        let whole = try decode(bytes)
        for count in stride(from: 1, to: bytes.count, by: 7) {
            do throws(PictureError.Reason) {
                let picture = try decode(Array(bytes.prefix(count)))
                if let damage = picture.damage { throw damage }
                // What is cut off may be the thumbnail.
                #expect(picture == whole, "cut to \(count)")
                #expect(name == "thumbnail.heic" && count > bytes.count / 2)
            } catch {
                guard case .truncated = error else {
                    Issue.record("cut to \(count): \(error)")
                    continue
                }
            }
        }
    }

    struct Trap: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let reason: PictureError.Reason
    }

    @Test(arguments: try traps()) func `is refused before it costs anything`(trap: Trap) {
        #expect(throws: trap.reason) { try decode(trap.bytes) }
    }

    /// A file's item whose box hvcC is changed, from its name on.
    private static func configured(
        _ item: Boxes.Item, _ change: (inout [UInt8]) -> Void
    ) throws -> Boxes.Item {
        var item = item
        let index = try #require(
            item.properties.firstIndex { $0[4..<8].elementsEqual("hvcC".utf8) })
        var content = Array(item.properties[index][8...])
        change(&content)
        item.properties[index] = box("hvcC", content)
        return item
    }

    private static func traps() throws -> [Trap] {
        let item = try Boxes.item(of: file("plain.heic"))
        let large = try Boxes.item(of: file("thumbnail.heic"))
        let av1 = try Boxes.item(of: file("plain.avif"))
        let ten = try Boxes.item(of: file("ten.heic"))
        let configurations = [
            try configured(item) { $0 += [UInt8](repeating: 0, count: 70_000) },
            try configured(item) { $0[16] &= ~3 }, try configured(ten) { $0[17] &= ~7 },
        ]
        let more = "HEVC of more values, or deeper ones, than the file says"
        let plain = Boxes(items: [item])
        func trap(
            _ name: String, _ reason: PictureError.Reason, _ change: (inout Boxes) -> Void
        ) -> Trap {
            var boxes = plain
            change(&boxes)
            return Trap(testDescription: name, bytes: boxes.bytes, reason: reason)
        }
        func resized(_ item: Boxes.Item, _ width: Int, _ height: Int) -> Boxes.Item {
            var item = item
            item.properties = item.properties.filter { !$0[4..<8].elementsEqual("ispe".utf8) }
            item.properties.append(size(width, height))
            return item
        }
        let (huge, unit) = (Boxes.grid(item, 256, 256, 1, 1), item.data)
        return [
            trap("a box of 2 GB", .truncated(rowsDecoded: 0, of: 0)) {
                $0.before = number(2 << 30, 4) + "free".utf8
            },
            trap("a box beyond all numbers", .corrupt("a number beyond all files")) {
                $0.before = number(1, 4) + "free".utf8 + number(-1, 8)
            },
            trap("a box that ends past the last number", .truncated(rowsDecoded: 0, of: 0)) {
                $0.before = number(1, 4) + "free".utf8 + number(.max, 8)
            },
            trap("a box within its head", .corrupt("a box free of 4 bytes")) {
                $0.before = number(4, 4) + "free".utf8
            },
            trap("boxes without end", .corrupt("too many boxes before the box meta")) {
                $0.before = [[UInt8]](repeating: box("free", []), count: 1000).flatMap { $0 }
            },
            trap("a table of a megabyte", .corrupt("a box meta of 1000288 bytes")) {
                $0.inside = box("free", [UInt8](repeating: 0, count: 1_000_000))
            },
            trap("65,536 tiles", .corrupt("a grid of 256x256 tiles, of which it names 0")) {
                var grid = huge.items[65_536]
                grid.properties = [size(1, 1)]
                $0 = Boxes(items: [item, grid], primary: 2)
            },
            trap("a grid of itself", .corrupt("a picture without a box hvcC")) {
                $0 = Boxes.grid(item, 1, 1, 8, 8)
                $0.references = [("dimg", 2, [2])]
            },
            trap("a grid of a grid of it", .corrupt("a picture without a box hvcC")) {
                $0 = Boxes.grid(item, 1, 1, 8, 8)
                $0.items.append($0.items[1])
                $0.references = [("dimg", 2, [3]), ("dimg", 3, [2])]
            },
            trap("a side of nothing", .corrupt("a picture of 0x64 pixels")) {
                $0.items[0] = resized(item, 0, 64)
            },
            trap("a huge picture", .tooLarge(.pixels, found: 60_000 * 60_000, limit: 128_000_000)) {
                $0.items[0] = resized(item, 60_000, 60_000)
            },
            trap("a side of 4 billion", .unsupported("a picture of 4294967295x1 pixels")) {
                $0.items[0] = resized(item, 0xFFFF_FFFF, 1)
            },
            trap("HEVC of another size", .corrupt("a picture of another size than it says")) {
                $0.items[0] = resized(item, 8, 8)
            },
            trap(
                "HEVC of a far larger size",
                .corrupt("HEVC of 256x192 pixels in a picture of 64x64")
            ) { $0.items[0] = resized(large, 64, 64) },
            trap("AV1 of another size", .corrupt("tile->codec->getNextImage() failed")) {
                $0 = Boxes(items: [resized(av1, 32, 32)], brand: "avif")
            },
            trap("two pictures in one", .corrupt("2 pictures in one item")) {
                $0.items[0].data = unit + unit
            },
            trap("no picture in one", .corrupt("0 pictures in one item")) {
                $0.items[0].data = number(3, 4) + [78, 1, 5]
            },
            trap("parameters among the pixels", .unsupported("parameters among the pixels")) {
                $0.items[0].data = number(3, 4) + [66, 1, 5] + unit
            },
            trap("twenty frames", .corrupt("20 frames in one item")) {
                $0 = Boxes(items: [av1], brand: "avif")
                $0.items[0].data = [[UInt8]](repeating: av1.data, count: 20).flatMap { $0 }
            },
            trap("a picture of others", .unsupported("HEVC that needs other pictures")) {
                $0.items[0].data[4] = 1 << 1
            },
            trap("a configuration of 70 KB", .corrupt("a box hvcC of 70110 bytes")) {
                $0.items[0] = configurations[0]
            },
            trap("more values than it says", .corrupt(more)) { $0.items[0] = configurations[1] },
            trap("deeper values than it says", .corrupt(more)) { $0.items[0] = configurations[2] },
            trap("another codec", .unsupported("a picture of type vvc1")) {
                $0.items[0].type = "vvc1"
            },
            trap("no such item", .corrupt("an item that isn't there")) { $0.primary = 9 },
        ]
    }

    @Test func `may nest boxes as deeply as it likes, for nobody goes there`() throws {
        var nested: [UInt8] = []
        for _ in 0..<2000 { nested = box("meta", nested) }
        let item = try Boxes.item(of: file("plain.heic"))
        let boxes = Boxes(items: [item], inside: nested)
        #expect(try decode(boxes.bytes) == decode(Boxes(items: [item]).bytes))
    }

    @Test func `may have parts that lie in one place, up to the limit of its length`() throws {
        let item = try Boxes.item(of: file("plain.heic"))
        // All tiles are one item, and its bytes count once for each.
        var grid = Boxes.grid(item, 30, 30, 1900, 1900)
        grid.items.removeSubrange(1..<900)
        grid.primary = 2
        grid.references = [("dimg", 2, [Int](repeating: 1, count: 900))]
        let targetSize = PixelSize(width: 100, height: 100)
        #expect(try decode(grid.bytes, fitting: targetSize).size == targetSize)
    }

    @Test func `is held to the limits`() throws {
        let bytes = try file("thumbnail.heic")
        #expect(throws: PictureError.Reason.tooLarge(.pixels, found: 49_152, limit: 49_151)) {
            try decode(bytes, limits: PictureLimits(pixels: 49_151))
        }
        // All values, and a strip of rows.
        let memory = 73_728 + 68 * 4 * 256
        let reason = PictureError.Reason.tooLarge(.decoderMemory, found: memory, limit: 100_000)
        #expect(throws: reason) {
            try decode(bytes, limits: PictureLimits(decoderMemory: 100_000))
        }
        // A picture that may refer to others may take the memory of sixteen more.
        var item = try Boxes.item(of: file("plain.heic"))
        item.data[4] = 21 << 1
        let tile = 64 * 64 * 3 / 2
        #expect(
            throws: PictureError.Reason.tooLarge(
                .decoderMemory, found: 17 * tile, limit: 17 * tile - 1)
        ) {
            try decode(
                Boxes(items: [item]).bytes, limits: PictureLimits(decoderMemory: 17 * tile - 1))
        }
    }
}

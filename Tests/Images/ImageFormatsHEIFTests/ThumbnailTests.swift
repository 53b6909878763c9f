import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ImageFormatsHEIF
@testable import ImageLoading

@Suite struct `Thumbnails of a HEIC` {
    private func header(_ boxes: Boxes) throws -> PictureHeader {
        try PictureHeader.read(.bytes(boxes.bytes), named: "a", decoders: .withHEIF)
    }

    private func thumbnails(
        _ count: Int, of item: Boxes.Item, _ thumbnail: Boxes.Item
    ) -> Boxes {
        Boxes(
            items: [item] + [Boxes.Item](repeating: thumbnail, count: count),
            references: (2..<2 + count).map { ("thmb", $0, [1]) })
    }

    @Test func `are looked at up to the fourth`() throws {
        let item = try Boxes.item(of: file("plain.heic"))
        var turned = item
        turned.properties.append(box("irot", [1]))
        for place in 2...6 {
            var boxes = thumbnails(6, of: item, turned)
            boxes.items[place - 1] = item
            #expect(try (header(boxes).embeddedThumbnail != nil) == (place <= 5))
        }
    }

    @Test func `and the header cost a few small reads, however long or many they are`() throws {
        let item = try Boxes.item(of: file("plain.heic"))
        let grid = Boxes.grid(item, 30, 30, 1900, 1900).items[900]
        var many = thumbnails(100, of: item, grid)
        many.items[0].data += [UInt8](repeating: 0, count: 10_000)
        let tiles = [Int](repeating: 1, count: 900)
        many.references += (2..<102).map { ("dimg", $0, tiles) }
        // Each is turned, and so none serves.
        for index in 1...100 { many.items[index].properties.append(box("irot", [1])) }
        var long = Boxes(items: [item])
        long.before = box("free", [UInt8](repeating: 0, count: 1_000_000))
        let folder = try Folder()
        for (bytes, most) in [(many.bytes, 8), (long.bytes, 4), (try file("thumbnail.heic"), 4)] {
            let path = try folder.write("picture", Data(bytes))
            let reads = Mutex<[Int]>([])
            let note: @Sendable (Range<Int>) -> Void = { range in
                reads.withLock { $0.append(range.count) }
            }
            _ = try OpenedFile.$onRead.withValue(note) {
                try PictureHeader.read(.file(path), decoders: .withHEIF)
            }
            #expect(reads.withLock { $0.count } <= most)
            if most == 4 { #expect(reads.withLock { $0.reduce(0, +) } < 10_000) }
        }
    }

    @Test func `have alpha if their picture has`() throws {
        let item = try Boxes.item(of: file("plain.heic"))
        var alpha = item
        alpha.properties.append(
            box("auxC", [0, 0, 0, 0] + "urn:mpeg:hevc:2015:auxid:1".utf8 + [0]))
        var boxes = Boxes(items: [item, alpha, item, alpha], references: [("thmb", 3, [1])])
        #expect(try header(boxes).embeddedThumbnail != nil)
        boxes.references.append(("auxl", 2, [1]))
        #expect(try header(boxes).channels == 4 && header(boxes).embeddedThumbnail == nil)
        boxes.references.append(("auxl", 4, [3]))
        #expect(try header(boxes).embeddedThumbnail != nil)
    }
}

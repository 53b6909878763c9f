import Foundation
import GalleryFiles
import ImageLoading
import TestSupport
import Testing

@testable import GalleryCatalogue

struct HeaderQueueTests {
    private let list: PictureList

    init() throws {
        var changes = PendingChanges()
        let pictures = try (0..<10).map { number in
            let path = try #require(FilePath(Array("\(number).png".utf8)))
            return ListedPicture(path: path, stamp: 1, byteCount: 1, modified: 0)
        }
        changes.folders[.root] = pictures
        let empty = PictureList(limit: 100, numbering: { PictureID(of: $0) })
        list = ListRebuild(of: empty, with: changes).list
    }

    private func names(_ requests: [HeaderQueue.Request]) -> String {
        requests.map { String($0.path.name.prefix(1)) }.joined()
    }

    @Test func `each is asked for once, those in view first`() {
        var queue = HeaderQueue()
        #expect(names(queue.takeNext(3, in: list)) == "012")
        queue.prefer(2..<6, by: .name, in: list)
        queue.prefer(8..<20, by: .date, in: list)
        #expect(names(queue.takeUrgent(3, in: list)) == "893")
        #expect(names(queue.takeUrgent(8, in: list)) == "45")
        #expect(names(queue.takeUrgent(8, in: list)) == "")
        #expect(names(queue.takeNext(8, in: list)) == "67")
        #expect(names(queue.takeNext(8, in: list)) == "" && !queue.isEmpty)
        queue.finish(list.sections[0].entries.map { ReadHeader(key: $0.key, pixels: nil) })
        #expect(queue.isEmpty)
    }

    @Test func `what fails is asked for three times, and what starves any number of times`() {
        var queue = HeaderQueue()
        let key = list.sections[0].entries[4].key
        _ = queue.takeNext(10, in: list)
        for _ in 0..<5 {
            let isPostponed = queue.postpone(key, counts: false)
            #expect(isPostponed)
            #expect(names(queue.takeNext(10, in: list)) == "")
            queue.retry()
            #expect(names(queue.takeNext(10, in: list)) == "4")
        }
        for isLast in [false, false, true] {
            let isPostponed = queue.postpone(key, counts: true)
            #expect(isPostponed == !isLast)
            queue.retry()
            #expect(names(queue.takeNext(10, in: list)) == (isLast ? "" : "4"))
        }
    }

    @Test func `a header is read of the file that was listed, and of no other`() throws {
        let tree = PictureTree()
        tree.write("a.png", 30, 20)
        tree.link("loop.png", to: "loop.png")
        tree.write(bytes: [], to: Array("empty.png".utf8))
        let folder = try tree.folder()
        func reading(_ name: String, _ stamp: UInt64? = nil) throws -> HeaderReading {
            let path = try #require(FilePath(Array(name.utf8)))
            let known = try? folder.facts(of: path).stamp
            let key = PictureKey(id: PictureID(of: path), stamp: stamp ?? known ?? 0)
            return HeaderReading(of: key, at: path, in: folder)
        }
        #expect(try reading("a.png") == .read(PixelSize(width: 30, height: 20)))
        #expect(try reading("a.png", 7) == .failed)
        #expect(try reading("gone.png") == .read(nil))
        #expect(try reading("loop.png") == .read(nil))
        #expect(try reading("empty.png") == .read(nil))
        // Turned by a quarter.
        let photo = Command.project.appending(
            path: "Tests/Images/ImageFormatsHEIFTests/Pictures/turned.avif")
        tree.write(bytes: try Array(Data(contentsOf: photo)), to: Array("a.AVIF".utf8))
        #expect(try reading("a.AVIF") == .read(PixelSize(width: 30, height: 40)))
        // Notes with a date, right after the start of a JPEG.
        let lantern = Command.photos + "/20-lanterns-800x1000.jpg"
        var dated = try Array(Data(contentsOf: URL(filePath: lantern)))
        let notes =
            Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x32, 1, 2, 0, 20, 0, 0, 0]
            + [26, 0, 0, 0, 0, 0, 0, 0] + Array("1970:01:02 00:00:01\0".utf8)
        dated.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(notes.count + 2)] + notes, at: 2)
        tree.write(bytes: dated, to: Array("b.jpg".utf8))
        #expect(
            try reading("b.jpg") == .read(PixelSize(width: 800, height: 1000), taken: 86_401))
    }
}

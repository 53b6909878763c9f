import GalleryFiles
import Glibc
import IdleLoop
import ImageLoading
import ScrollModel
import TestSupport
import Testing

@testable import GalleryCatalogue

/// What is in the list, and how it follows the files.
struct CatalogueTests {
    private let tree = PictureTree()

    @Test func `pictures are listed by folder and name, and nothing else is`() throws {
        for folder in ["b", "a", "a/deep", "a10", "a2", ".hidden", "empty", "a/b.jpg"] {
            tree.makeFolder(folder)
        }
        for name in [
            "z.jpg", "img10.PNG", "img2.JpEg", "b/x.webp", "a/1.gif", "a/deep/0.jpg", "a10/0.jpg",
            "a2/0.jpg", ".hidden/no.jpg", ".no.jpg", "no.txt", "jpg", "no.jpg.bak", "a/no.tiff",
        ] {
            tree.write(name)
        }
        tree.write([0xFF, 0x2E, 0x6A, 0x70, 0x67])
        tree.write("new\nline.jpg")
        #expect(unsafe mkfifo(tree.place("pipe.jpg"), 0o600) == 0)
        let bench = try CatalogueBench(tree)
        #expect(bench.catalogue.version == 0 && !bench.catalogue.isComplete)
        try bench.settle()
        #expect(
            bench.names == [
                ":", "img2.JpEg", "img10.PNG", "new\nline.jpg", "z.jpg", "\u{FFFD}.jpg",
                "a:", "1.gif", "a/deep:", "0.jpg", "a2:", "0.jpg", "a10:", "0.jpg", "b:", "x.webp",
            ])
        #expect(bench.catalogue.sections.map(\.rowCount) == [5, 1, 1, 1, 1, 1])
        #expect(bench.catalogue.statistics.folders == 8)
        #expect(bench.catalogue.statistics.watchedFolders == 8)
        #expect(bench.issues == [])
        bench.catalogue.list.checkInvariants()
    }

    @Test func `rows come first, and then their shapes, no oftener than four times a second`()
        throws
    {
        for number in 0..<100 { tree.write("\(number).png", 400, 100 + 10 * number) }
        tree.write("small.png", 10, 10)
        tree.write(bytes: [1, 2, 3], to: Array("bad.png".utf8))
        let bench = try CatalogueBench(tree)
        try bench.run(for: .milliseconds(1))
        let first = try #require(bench.changes.first)
        #expect(first.inserted == [0..<102] && first.measured == [])
        #expect(first.areSectionsChanged)
        try bench.settle()
        #expect(bench.changes.dropFirst().allSatisfy { $0.inserted == [] && $0.removed == [] })
        #expect(bench.changes.count == 3)  // what a first batch gave, and the rest later
        // In steps of 1/64 of the height.
        #expect(bench.ratios()[0] == 256)
        #expect(bench.ratios()[10] == 128)
        #expect(bench.ratios()[99] == 23)
        #expect(bench.ratios().suffix(2) == [96, 64])
        let last = bench.catalogue.entry(atPosition: 101)
        #expect(last.pixels == PixelSize(width: 10, height: 10) && last.path.name == "small.png")
        #expect(bench.catalogue.entry(atPosition: 100).pixels == nil)
        #expect(bench.catalogue.layout(by: .name).firstUnmeasured(from: .header(section: 0)) == nil)
        #expect(bench.catalogue.statistics.headersRead == 102)
        #expect(bench.catalogue.statistics.headersFailed == 1)
    }

    @Test func `a number leads to its row`() throws {
        tree.makeFolder("a")
        for number in 0..<20 { tree.write("\(number % 2 == 0 ? "a/" : "")\(number).png") }
        let bench = try CatalogueBench(tree)
        try bench.settle()
        for position in 0..<20 {
            let entry = bench.catalogue.entry(atPosition: position)
            #expect(entry.key.id == PictureID(of: entry.path))
            #expect(bench.catalogue.position(of: entry.key.id) == position)
            #expect(bench.catalogue.entry(of: entry.key.id) == entry)
        }
        #expect(bench.catalogue.position(of: PictureID(1)) == nil)
        // What was asked about has moved, or gone, when the list has changed.
        tree.write("00.png")
        tree.delete("1.png")
        try bench.settle()
        #expect(bench.catalogue.rowCount == 20)
        for position in 0..<20 {
            let entry = bench.catalogue.entry(atPosition: position)
            #expect(bench.catalogue.position(of: entry.key.id) == position)
            #expect(bench.catalogue.entry(of: entry.key.id) == entry)
        }
        let gone = try #require(FilePath(Array("1.png".utf8)))
        #expect(bench.catalogue.position(of: PictureID(of: gone)) == nil)
        #expect(bench.catalogue.position(of: PictureID(1)) == nil)
    }

    @Test func `of two paths with one number the second has the next`() throws {
        for name in ["a.png", "b.png", "c.png"] { tree.write(name) }
        let bench = try CatalogueBench(tree) { path in
            path.name == "c.png" ? PictureID(.max) : PictureID(.max - 1)
        }
        try bench.settle()
        let ids = (0..<3).map { bench.catalogue.entry(atPosition: $0).key.id.value }
        #expect(ids == [.max - 1, .max, 0])
        for (position, id) in ids.enumerated() {
            #expect(bench.catalogue.position(of: PictureID(id)) == position)
        }
        // Who stays keeps its number when the other goes.
        tree.delete("a.png")
        try bench.settle()
        #expect(bench.catalogue.position(of: PictureID(.max)) == 0)
        #expect(bench.catalogue.position(of: PictureID(.max - 1)) == nil)
        tree.write("d.png")
        try bench.settle()
        #expect(bench.catalogue.entry(of: PictureID(.max - 1))?.path.name == "d.png")
        bench.catalogue.list.checkInvariants()
    }

    @Test func `rows that somebody looks at are measured first`() throws {
        for number in 0..<2000 { tree.write("\(number).png", 400, 100) }
        let bench = try CatalogueBench(tree)
        bench.afterChange = { [unowned bench] in
            if bench.changes.count == 1 { bench.catalogue.prefer(positions: 1000..<1016) }
        }
        try bench.run(for: .milliseconds(1))
        #expect(bench.changes.count == 2)
        let measured = try #require(bench.changes.last?.measured)
        #expect(!measured.isEmpty && measured.allSatisfy((1000..<1016).contains))
        try bench.settle()
        bench.catalogue.prefer(positions: 0..<5000)
        #expect(bench.catalogue.isComplete)
        #expect(bench.catalogue.statistics.headersRead == 2000)
    }

    @Test func `one changed file among a thousand folders has its own looked at alone`() throws {
        for number in 0..<1000 {
            tree.makeFolder("\(number)")
            tree.write("\(number)/a.png")
        }
        let bench = try CatalogueBench(tree)
        try bench.settle()
        let before = bench.catalogue.statistics
        #expect(before.listings == 1001)
        bench.forgetChanges()
        tree.write("500/a.png", 300, 300)
        try bench.settle()
        #expect(bench.catalogue.statistics.listings == before.listings + 1)
        #expect(bench.catalogue.statistics.entriesRead == before.entriesRead + 1)
        #expect(bench.changes.map(\.removed) == [[500..<501], []])
        #expect(bench.changes.map(\.inserted) == [[500..<501], []])
        #expect(!bench.changes[0].areSectionsChanged)
        #expect(bench.page == PageList(of: bench.catalogue))
    }

    @Test func `a large folder that changes all the time rests after each listing`() throws {
        for number in 0..<12_000 { tree.write("\(number).png") }
        let bench = try CatalogueBench(tree)
        try bench.settle()
        let before = bench.catalogue.statistics
        // Much of it is touched again and again for five seconds.
        let start = bench.loop.clock.now
        for round in 0..<20 {
            bench.time.at(start.advanced(by: .milliseconds(250 * round))) { [tree] in
                for number in 0..<1100 { tree.touch("\(number).png") }
            }
        }
        try bench.run(for: .seconds(5))
        let after = bench.catalogue.statistics
        // It rests for 0.6 s after each time.
        #expect(after.listings > before.listings)
        #expect(after.listings - before.listings <= 9)
        #expect(after.entriesRead - before.entriesRead <= 9 * 12_000)
    }

    @Test func `thousands of changes at once are one batch`() throws {
        for number in 0..<2000 { tree.write("\(number).png") }
        let bench = try CatalogueBench(tree)
        try bench.settle()
        bench.forgetChanges()
        for number in stride(from: 0, to: 2000, by: 2) { tree.delete("\(number).png") }
        for number in 0..<1000 { tree.write("\(number).webp") }
        try bench.settle()
        #expect(bench.changes.filter { !$0.removed.isEmpty }.count == 1)
        #expect(bench.changes.filter { !$0.inserted.isEmpty }.count == 1)
        #expect(bench.catalogue.rowCount == 2000)
        #expect(bench.page == PageList(of: bench.catalogue))
        bench.catalogue.list.checkInvariants()
    }

    @Test func `a folder is looked at when it's quiet, or two seconds after it began to change`()
        throws
    {
        tree.makeFolder("a")
        tree.write("a/0.png")
        let bench = try CatalogueBench(tree)
        try bench.settle()
        let before = bench.catalogue.statistics
        let start = bench.loop.clock.now
        for number in 1...50 {
            let instant = start.advanced(by: .milliseconds(100 * number))
            bench.time.at(instant) { [tree] in tree.write("a/\(number).png") }
        }
        try bench.run(for: .milliseconds(2000))
        #expect(bench.catalogue.statistics.entriesRead == before.entriesRead)
        try bench.run(for: .milliseconds(150))
        #expect(bench.catalogue.statistics.entriesRead > before.entriesRead)
        try bench.settle()
        #expect(bench.catalogue.rowCount == 51)
        #expect(bench.catalogue.statistics.listings <= before.listings + 4)
    }

    @Test func `links to pictures are pictures if they stay inside, and links to folders aren't`()
        throws
    {
        let outside = PictureTree()
        outside.write("secret.png")
        tree.makeFolder("a")
        tree.write("a/in.png")
        tree.link("link.png", to: "a/in.png")
        tree.link("a/up.png", to: "../link.png")
        tree.link("out.png", to: outside.path + "/secret.png")
        tree.link("broken.png", to: "nothing.png")
        tree.link("folder", to: outside.path)
        tree.link("again", to: "a")
        tree.link("a/loop", to: "..")
        tree.link("self", to: ".")
        let bench = try CatalogueBench(tree)
        try bench.settle()
        #expect(bench.names == [":", "link.png", "a:", "in.png", "up.png"])
        #expect(bench.catalogue.statistics.folders == 2)
        #expect(bench.ratios() == [85, 85, 85])
    }
}

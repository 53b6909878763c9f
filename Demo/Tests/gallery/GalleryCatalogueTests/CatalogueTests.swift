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
        let shelf = try CatalogueBench(tree)
        #expect(shelf.catalogue.version == 0 && !shelf.catalogue.isComplete)
        try shelf.settle()
        #expect(
            shelf.names == [
                ":", "img2.JpEg", "img10.PNG", "new\nline.jpg", "z.jpg", "\u{FFFD}.jpg",
                "a:", "1.gif", "a/deep:", "0.jpg", "a2:", "0.jpg", "a10:", "0.jpg", "b:", "x.webp",
            ])
        #expect(shelf.catalogue.sections.map(\.rowCount) == [5, 1, 1, 1, 1, 1])
        #expect(shelf.catalogue.statistics.folders == 8)
        #expect(shelf.catalogue.statistics.watchedFolders == 8)
        #expect(shelf.troubles == [])
        shelf.catalogue.list.checkInvariants()
    }

    @Test func `rows come first, and then their heights, no oftener than four times a second`()
        throws
    {
        for number in 0..<100 { tree.write("\(number).png", 400, 100 + 10 * number) }
        tree.write("small.png", 10, 10)
        tree.write(bytes: [1, 2, 3], to: Array("bad.png".utf8))
        let shelf = try CatalogueBench(tree)
        try shelf.run(for: .milliseconds(1))
        let first = try #require(shelf.changes.first)
        #expect(first.inserted == [0..<102] && first.measured == [])
        #expect(first.areSectionsChanged)
        try shelf.settle()
        #expect(shelf.changes.dropFirst().allSatisfy { $0.inserted == [] && $0.removed == [] })
        #expect(shelf.changes.count == 3)  // what a first batch gave, and the rest later
        #expect(shelf.heights[0] == 56 + 16)
        #expect(shelf.heights[10] == 112 + 16)
        #expect(shelf.heights[99] == 168 + 16)
        #expect(shelf.heights.suffix(2) == [184, 72])
        let last = shelf.catalogue.entry(atPosition: 101)
        #expect(last.pixels == PixelSize(width: 10, height: 10) && last.path.name == "small.png")
        #expect(shelf.catalogue.entry(atPosition: 100).pixels == nil)
        #expect(shelf.catalogue.layout.unmeasuredCount == 0)
        #expect(shelf.catalogue.statistics.headersRead == 102)
        #expect(shelf.catalogue.statistics.headersFailed == 1)
    }

    @Test func `a number leads to its row`() throws {
        tree.makeFolder("a")
        for number in 0..<20 { tree.write("\(number % 2 == 0 ? "a/" : "")\(number).png") }
        let shelf = try CatalogueBench(tree)
        try shelf.settle()
        for position in 0..<20 {
            let entry = shelf.catalogue.entry(atPosition: position)
            #expect(entry.key.id == PictureID(of: entry.path))
            #expect(shelf.catalogue.position(of: entry.key.id) == position)
            #expect(shelf.catalogue.entry(of: entry.key.id) == entry)
        }
        #expect(shelf.catalogue.position(of: PictureID(1)) == nil)
        // What was asked about has moved, or gone, when the list has changed.
        tree.write("00.png")
        tree.delete("1.png")
        try shelf.settle()
        #expect(shelf.catalogue.rowCount == 20)
        for position in 0..<20 {
            let entry = shelf.catalogue.entry(atPosition: position)
            #expect(shelf.catalogue.position(of: entry.key.id) == position)
            #expect(shelf.catalogue.entry(of: entry.key.id) == entry)
        }
        let gone = try #require(FilePath(Array("1.png".utf8)))
        #expect(shelf.catalogue.position(of: PictureID(of: gone)) == nil)
        #expect(shelf.catalogue.position(of: PictureID(1)) == nil)
    }

    @Test func `of two paths with one number the second has the next`() throws {
        for name in ["a.png", "b.png", "c.png"] { tree.write(name) }
        let shelf = try CatalogueBench(tree) { path in
            path.name == "c.png" ? PictureID(.max) : PictureID(.max - 1)
        }
        try shelf.settle()
        let ids = (0..<3).map { shelf.catalogue.entry(atPosition: $0).key.id.value }
        #expect(ids == [.max - 1, .max, 0])
        for (position, id) in ids.enumerated() {
            #expect(shelf.catalogue.position(of: PictureID(id)) == position)
        }
        // Who stays keeps its number when the other goes.
        tree.delete("a.png")
        try shelf.settle()
        #expect(shelf.catalogue.position(of: PictureID(.max)) == 0)
        #expect(shelf.catalogue.position(of: PictureID(.max - 1)) == nil)
        tree.write("d.png")
        try shelf.settle()
        #expect(shelf.catalogue.entry(of: PictureID(.max - 1))?.path.name == "d.png")
        shelf.catalogue.list.checkInvariants()
    }

    @Test func `rows that somebody looks at are measured first`() throws {
        for number in 0..<2000 { tree.write("\(number).png", 400, 100) }
        let shelf = try CatalogueBench(tree)
        shelf.afterChange = { [unowned shelf] in
            if shelf.changes.count == 1 { shelf.catalogue.prefer(positions: 1000..<1016) }
        }
        try shelf.run(for: .milliseconds(1))
        #expect(shelf.changes.count == 2)
        let measured = try #require(shelf.changes.last?.measured)
        #expect(!measured.isEmpty && measured.allSatisfy((1000..<1016).contains))
        try shelf.settle()
        shelf.catalogue.prefer(positions: 0..<5000)
        #expect(shelf.catalogue.isComplete)
        #expect(shelf.catalogue.statistics.headersRead == 2000)
    }

    @Test func `one changed file among a thousand folders is looked at alone`() throws {
        for number in 0..<1000 {
            tree.makeFolder("\(number)")
            tree.write("\(number)/a.png")
        }
        let shelf = try CatalogueBench(tree)
        try shelf.settle()
        let before = shelf.catalogue.statistics
        #expect(before.listings == 1001)
        shelf.forgetChanges()
        tree.write("500/a.png", 300, 300)
        try shelf.settle()
        #expect(shelf.catalogue.statistics.listings == before.listings)
        #expect(shelf.catalogue.statistics.entriesRead == before.entriesRead + 1)
        #expect(shelf.changes.map(\.removed) == [[500..<501], []])
        #expect(shelf.changes.map(\.inserted) == [[500..<501], []])
        #expect(!shelf.changes[0].areSectionsChanged)
        #expect(shelf.page == PageList(of: shelf.catalogue))
    }

    @Test func `what is written in a large folder is looked at, and nothing else is`() throws {
        tree.makeFolder("a")
        for number in 0..<2000 { tree.write("a/\(number).png") }
        let shelf = try CatalogueBench(tree)
        try shelf.settle()
        let before = shelf.catalogue.statistics
        #expect(before.entriesRead == 2001)
        // Ten writes a second for ten seconds: files that come, go, and are written to anew.
        let start = shelf.loop.clock.now
        for number in 0..<100 {
            shelf.time.at(start.advanced(by: .milliseconds(100 * number))) { [tree] in
                switch number % 4 {
                case 0: tree.write("a/new\(number).png")
                case 1: tree.delete("a/\(number).png")
                case 2: tree.write("a/\(number).png", 200, 100)
                default: tree.move("a/\(number).png", to: "a/moved\(number).png")
                }
            }
        }
        try shelf.run(for: .seconds(10))
        try shelf.settle()
        let after = shelf.catalogue.statistics
        #expect(after.listings == before.listings)
        // Two names of what was moved.
        #expect(after.entriesRead - before.entriesRead <= 125)
        #expect(shelf.page == PageList(of: shelf.catalogue))
        shelf.catalogue.list.checkInvariants()
        let other = try CatalogueBench(tree)
        try other.settle()
        #expect(other.content == shelf.content)
    }

    @Test func `links and folders among the names that change are what they are in a listing`()
        throws
    {
        tree.makeFolder("a")
        tree.write("a/in.png")
        let shelf = try CatalogueBench(tree)
        try shelf.settle()
        let listings = shelf.catalogue.statistics.listings
        tree.link("link.png", to: "a/in.png")
        tree.link("broken.png", to: "nothing.png")
        tree.link("folder.png", to: "a")
        tree.link("out.png", to: "/dev/null")
        tree.makeFolder("b")
        tree.write("b/x.png")
        tree.makeFolder("c.png")
        tree.write("c.png/y.png")
        tree.write(".hidden.png")
        #expect(unsafe mkfifo(tree.place("pipe.png"), 0o600) == 0)
        try shelf.settle()
        #expect(
            shelf.names == [":", "link.png", "a:", "in.png", "b:", "x.png", "c.png:", "y.png"])
        // The two folders that are new.
        #expect(shelf.catalogue.statistics.listings == listings + 2)
        tree.delete("b/x.png")
        tree.delete("b")
        tree.delete("link.png")
        tree.write("b")
        tree.delete("c.png/y.png")
        tree.delete("c.png")
        tree.write("c.png")
        try shelf.settle()
        #expect(shelf.names == [":", "c.png", "a:", "in.png"])
        #expect(shelf.catalogue.statistics.folders == 2)
    }

    @Test func `a folder in which too much changes is listed, and then rests`() throws {
        for number in 0..<12_000 { tree.write("\(number).png") }
        let shelf = try CatalogueBench(tree)
        try shelf.settle()
        let before = shelf.catalogue.statistics
        // Much of it is touched again and again for five seconds.
        let start = shelf.loop.clock.now
        for round in 0..<20 {
            shelf.time.at(start.advanced(by: .milliseconds(250 * round))) { [tree] in
                for number in 0..<1100 { tree.touch("\(number).png") }
            }
        }
        try shelf.run(for: .seconds(5))
        let after = shelf.catalogue.statistics
        // It rests for 0.6 s after each time.
        #expect(after.listings > before.listings)
        #expect(after.listings - before.listings <= 9)
        #expect(after.entriesRead - before.entriesRead <= 9 * 12_000)
        var table = FolderTable()
        table.change(.root) { $0.names = [] }
        for number in 0..<5000 { table.note(Array("\(number)".utf8), of: .root) }
        #expect(table[.root]?.names == nil && table.nameCount == 0)
    }

    @Test func `a file of the same length is another file`() throws {
        tree.write(bytes: Array(repeating: 1, count: 50), to: Array("a.png".utf8))
        let shelf = try CatalogueBench(tree)
        try shelf.settle()
        let key = shelf.catalogue.entry(atPosition: 0).key
        tree.write(bytes: Array(repeating: 2, count: 50), to: Array("b.txt".utf8))
        tree.move("b.txt", to: "a.png")
        try shelf.settle()
        let other = shelf.catalogue.entry(atPosition: 0).key
        #expect(other.id == key.id && other.stamp != key.stamp)
    }

    @Test func `a folder that is being listed is listed again if it's wanted`() {
        var table = FolderTable()
        table.want(.root)
        table.want(.root)
        #expect(table.next() == .root && table.next() == nil)
        table.change(.root) { $0.job = 1 }
        table.want(.root)
        #expect(table.next() == nil && table[.root]?.isListedAgain == true)
        table.change(.root) { $0.job = nil }
        table.want(.root)
        #expect(table.waitingCount == 1 && table.next() == .root && table.waitingCount == 0)
    }

    @Test func `thousands of changes at once are one batch`() throws {
        for number in 0..<2000 { tree.write("\(number).png") }
        let shelf = try CatalogueBench(tree)
        try shelf.settle()
        shelf.forgetChanges()
        for number in stride(from: 0, to: 2000, by: 2) { tree.delete("\(number).png") }
        for number in 0..<1000 { tree.write("\(number).webp") }
        try shelf.settle()
        #expect(shelf.changes.filter { !$0.removed.isEmpty }.count == 1)
        #expect(shelf.changes.filter { !$0.inserted.isEmpty }.count == 1)
        #expect(shelf.catalogue.layout.rowCount == 2000)
        #expect(shelf.page == PageList(of: shelf.catalogue))
        shelf.catalogue.list.checkInvariants()
    }

    @Test func `a folder is looked at when it's quiet, or two seconds after it began to change`()
        throws
    {
        tree.makeFolder("a")
        tree.write("a/0.png")
        let shelf = try CatalogueBench(tree)
        try shelf.settle()
        let before = shelf.catalogue.statistics
        let start = shelf.loop.clock.now
        for number in 1...50 {
            let instant = start.advanced(by: .milliseconds(100 * number))
            shelf.time.at(instant) { [tree] in tree.write("a/\(number).png") }
        }
        try shelf.run(for: .milliseconds(2000))
        #expect(shelf.catalogue.statistics.entriesRead == before.entriesRead)
        try shelf.run(for: .milliseconds(150))
        #expect(shelf.catalogue.statistics.entriesRead > before.entriesRead)
        try shelf.settle()
        #expect(shelf.catalogue.layout.rowCount == 51)
        #expect(shelf.catalogue.statistics.entriesRead <= before.entriesRead + 50)
        #expect(shelf.catalogue.statistics.listings == before.listings)
    }

    @Test func `a folder that goes takes its rows, and one that moves keeps being watched`() throws
    {
        for folder in ["a", "a/in", "b"] { tree.makeFolder(folder) }
        for name in ["a/0.png", "a/in/1.png", "b/2.png"] { tree.write(name) }
        let shelf = try CatalogueBench(tree)
        try shelf.settle()
        tree.move("a", to: "c")
        try shelf.settle()
        #expect(shelf.names == ["b:", "2.png", "c:", "0.png", "c/in:", "1.png"])
        #expect(shelf.catalogue.statistics.watchedFolders == 4)
        tree.write("c/in/3.png")
        try shelf.settle()
        #expect(shelf.names.suffix(2) == ["1.png", "3.png"])
        // Another takes its name: all in it is another too.
        tree.move("c", to: ".c")
        tree.move("b", to: "c")
        tree.makeFolder("c/in")
        tree.write("c/in/4.png")
        try shelf.settle()
        #expect(shelf.names == ["c:", "2.png", "c/in:", "4.png"])
        tree.write("c/in/5.png")
        tree.write(".c/6.png")
        try shelf.settle()
        #expect(shelf.names == ["c:", "2.png", "c/in:", "4.png", "5.png"])
        for name in ["c/in/4.png", "c/in/5.png", "c/in", "c/2.png", "c"] { tree.delete(name) }
        try shelf.settle()
        #expect(shelf.names == [] && shelf.catalogue.statistics.watchedFolders == 1)
        #expect(shelf.catalogue.statistics.folders == 1)
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
        let shelf = try CatalogueBench(tree)
        try shelf.settle()
        #expect(shelf.names == [":", "link.png", "a:", "in.png", "up.png"])
        #expect(shelf.catalogue.statistics.folders == 2)
        #expect(shelf.heights == [184, 184, 184])
    }

    @Test func `on threads and real time it comes to the same`() throws {
        for number in 0..<50 {
            tree.makeFolder("\(number)")
            for picture in 0..<20 { tree.write("\(number)/\(picture).png", 100 + picture) }
        }
        let loop = try MainLoop()
        defer { loop.close() }
        let pool = try WorkerPool(width: 2, on: loop)
        let catalogue = Catalogue(of: try tree.folder(), on: loop, pool: pool)
        defer { catalogue.close() }
        var page = PageList(of: catalogue)
        catalogue.onChange = { change in
            page.follow(change, in: catalogue)
            if catalogue.layout.unmeasuredCount == 0, catalogue.layout.rowCount == 1000 {
                loop.stop()
            }
        }
        try loop.run()
        #expect(page == PageList(of: catalogue))
        let shelf = try CatalogueBench(tree)
        try shelf.settle()
        #expect(catalogue.sections == shelf.content)
    }
}

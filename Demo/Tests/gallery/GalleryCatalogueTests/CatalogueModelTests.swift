import GalleryFiles
import IdleLoop
import LullTesting
import ScrollModel
import TestSupport
import Testing

@testable import GalleryCatalogue

/// Whatever happens to the files, the list comes to be what a fresh look at them gives.
struct CatalogueModelTests {
    @Test(arguments: 0..<20) func `the list follows the files`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let tree = PictureTree()
        var hand = RandomHand(tree)
        for _ in 0..<30 { hand.act(&random) }
        let bench = try CatalogueBench(tree)
        for _ in 0..<12 {
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                hand.act(&random)
                // Between two acts there's time for half of what they call for, or for nothing.
                if Int.random(in: 0..<3, using: &random) == 0 {
                    try bench.run(for: .milliseconds(Int.random(in: 0...300, using: &random)))
                }
            }
            try bench.settle()
            try check(bench, tree)
        }
        #expect(bench.issues == [])
    }

    @Test(arguments: 0..<10) func `without word from the system it takes a minute`(seed: UInt64)
        throws
    {
        var random = SeededGenerator(seed: 1000 + seed)
        let tree = PictureTree()
        var hand = RandomHand(tree)
        for _ in 0..<40 { hand.act(&random) }
        let bench = try CatalogueBench(tree, watchLimit: Int.random(in: 0...3, using: &random))
        try bench.settle()
        for _ in 0..<5 {
            for _ in 0..<10 { hand.act(&random) }
            try bench.run(for: .seconds(62))
            try bench.settle()
            try check(bench, tree)
        }
    }

    @Test(arguments: 0..<3) func `files may change while workers read them`(seed: UInt64) throws {
        var random = SeededGenerator(seed: 2000 + seed)
        let tree = PictureTree()
        var hand = RandomHand(tree)
        let loop = try MainLoop()
        defer { loop.close() }
        let pool = try WorkerPool(width: 2, on: loop)
        let catalogue = Catalogue(of: try tree.folder(), on: loop, pool: pool)
        defer { catalogue.close() }
        var page = PageList(of: catalogue)
        catalogue.onChange = { page.follow($0, in: catalogue) }
        var acts = 0
        loop.schedule(after: .zero, every: .milliseconds(1)) {
            acts += 1
            if acts < 600 {
                hand.act(&random)
                if acts % 20 == 0 { catalogue.rescan() }
            } else if acts > 600, catalogue.isComplete {
                loop.stop()
            }
        }
        try loop.run()
        catalogue.list.checkInvariants()
        #expect(page == PageList(of: catalogue))
        let fresh = try CatalogueBench(tree)
        try fresh.settle()
        #expect(catalogue.sections == fresh.content)
    }

    private func check(_ bench: CatalogueBench, _ tree: PictureTree) throws {
        bench.catalogue.list.checkInvariants()
        #expect(bench.page == PageList(of: bench.catalogue))
        let fresh = try CatalogueBench(tree)
        try fresh.settle()
        #expect(bench.content == fresh.content)
        #expect(bench.datedPage == PageList(of: bench.catalogue, by: .date))
        for order in ListOrder.allCases {
            #expect(bench.ratios(by: order) == fresh.ratios(by: order))
        }
        #expect(bench.catalogue.layout(by: .name).firstUnmeasured(from: .header(section: 0)) == nil)
        #expect(bench.catalogue.statistics.folders == fresh.catalogue.statistics.folders)
    }
}

/// Somebody who does this and that to the files in a folder.
struct RandomHand {
    private let tree: PictureTree
    private var folders = [""]
    private var files: [String] = []
    private var count = 0

    init(_ tree: PictureTree) {
        self.tree = tree
    }

    mutating func act(_ random: inout SeededGenerator) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...5:
            let name = newName(&random)
            tree.write(name, Int.random(in: 1...900, using: &random), 300)
            files.append(name)
        case 6...7:
            guard let name = files.randomElement(using: &random) else { return }
            tree.delete(name)
            files.removeAll { $0 == name }
        case 8...9:
            // It may be in a folder that moved away.
            guard let name = files.randomElement(using: &random) else { return }
            let other = newName(&random)
            if tree.move(name, to: other) { files.append(other) }
            files.removeAll { $0 == name }
        case 10...11:
            let name = newFolderName(&random)
            tree.makeFolder(name)
            folders.append(name)
        case 12...13:
            guard let name = folders.randomElement(using: &random), name != "" else { return }
            let other = newFolderName(&random)
            guard tree.move(name, to: other) else { return }
            moved(name, to: other)
        case 14:
            guard let name = folders.randomElement(using: &random), name != "" else { return }
            clear(name)
        case 15:
            let name = newName(&random)
            tree.link(name, to: "../0.png")
            files.append(name)
        case 16...17:
            // Written anew, with another size.
            guard let name = files.randomElement(using: &random), !isLink(name) else { return }
            tree.write(name, Int.random(in: 1...900, using: &random), 300)
        case 18:
            tree.write(bytes: Array(repeating: 1, count: count), to: Array(newName(&random).utf8))
        default:
            // A folder takes another's place.
            guard folders.count > 2, let one = folders.dropFirst().randomElement(using: &random),
                let other = folders.dropFirst().randomElement(using: &random), one != other
            else { return }
            let aside = newFolderName(&random)
            if tree.move(one, to: aside) {
                moved(one, to: aside)
                if tree.move(other, to: one) { moved(other, to: one) }
            }
        }
    }

    private mutating func newName(_ random: inout SeededGenerator) -> String {
        count += 1
        let folder = folders.randomElement(using: &random) ?? ""
        let end = [".png", ".JPG", ".gif", ".txt", ".tif"].randomElement(using: &random) ?? ""
        return (folder.isEmpty ? "" : folder + "/") + "\(count)" + end
    }

    private mutating func newFolderName(_ random: inout SeededGenerator) -> String {
        count += 1
        let folder = folders.randomElement(using: &random) ?? ""
        let hidden = Int.random(in: 0..<10, using: &random) == 0 ? "." : ""
        return (folder.isEmpty ? "" : folder + "/") + hidden + "f\(count)"
    }

    private func isLink(_ name: String) -> Bool { tree.isLink(name) }

    private mutating func moved(_ name: String, to other: String) {
        func renamed(_ path: String) -> String {
            path == name || path.hasPrefix(name + "/")
                ? other + path.dropFirst(name.count) : path
        }
        folders = folders.map(renamed)
        files = files.map(renamed)
    }

    private mutating func clear(_ folder: String) {
        let inside = folder + "/"
        for name in files where name.hasPrefix(inside) { tree.delete(name) }
        files.removeAll { $0.hasPrefix(inside) }
        let gone = folders.filter { $0.hasPrefix(inside) } + [folder]
        for name in gone.sorted(by: { $0.count > $1.count }) { tree.delete(name) }
        // One that wasn't empty is still there.
        folders.removeAll { gone.contains($0) && !tree.exists($0) }
    }
}

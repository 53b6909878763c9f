import GalleryFiles
import Glibc
import IdleLoop
import ScrollModel
import Testing

@testable import GalleryCatalogue

/// A catalogue whose loop is shut down, whatever it's at.
struct EndTests {
    private let tree = PictureTree()

    /// Shuts the loop down at the so-many-th time that it would rest, and lets it come to its end.
    private func shutDown(_ bench: CatalogueBench, atLull number: Int) throws -> [ShutdownReport<
        String
    >]? {
        var reports: [ShutdownReport<String>]?
        var left = number
        // Before the queues.
        let observer = bench.loop.observe(.beforeIdle, order: -1) { _ in
            left -= 1
            if left == 0 { bench.loop.shutDown(within: .seconds(10)) { reports = $0 } }
        }
        try bench.run(for: .seconds(20))
        observer.cancel()
        return reports
    }

    @Test(arguments: 1...16)
    func `what is under way is finished, and nothing more is begun`(lull: Int) throws {
        for folder in 0..<6 {
            tree.makeFolder("\(folder)")
            for picture in 0..<12 { tree.write("\(folder)/\(picture).png") }
        }
        let bench = try CatalogueBench(tree)
        bench.catalogue.rescan()
        let reports = try #require(try shutDown(bench, atLull: lull))
        #expect(reports.map(\.returned) == [[]])
        // It didn't even try.
        #expect(bench.dropped == 0)
        #expect(bench.loop.queueStatistics.values.allSatisfy { $0.isConserved })
        bench.catalogue.prefer(positions: 0..<bench.catalogue.rowCount)
        bench.catalogue.rescan()
        try bench.run(for: .seconds(20))
        #expect(bench.dropped == 0)
        bench.catalogue.list.checkInvariants()
    }

    /// When a catalogue is closed or let go of.
    enum Moment: CaseIterable {
        case change, issue, event
    }

    @Test(arguments: Moment.allCases, [true, false])
    func `a catalogue may be closed or let go of from inside any callback`(
        moment: Moment, isClosed: Bool
    ) throws {
        for folder in 0..<3 {
            tree.makeFolder("\(folder)")
            for picture in 0..<5 { tree.write("\(folder)/\(picture).png") }
        }
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        defer { loop.close() }
        let pool = try WorkerPool(width: 2, on: loop)
        var limits = CatalogueLimits()
        limits.folders = 2
        var catalogue: Catalogue? = Catalogue(
            of: try tree.folder(), on: loop, pool: pool, limits: limits,
            numbering: { PictureID(of: $0) },
            mayWatch: { () throws(FileError) in
                if moment == .issue {
                    throw .system(call: "inotify_add_watch", errno: ENOSPC)
                }
            })
        weak let weakCatalogue = catalogue
        var ends = 0
        func end() {
            ends += 1
            catalogue?.close()
            if !isClosed { catalogue = nil }
        }
        switch moment {
        case .change: catalogue?.onChange = { _ in end() }
        case .issue: catalogue?.onIssue = { _ in end() }
        case .event: loop.schedule(after: .milliseconds(201)) { end() }
        }
        loop.schedule(after: .milliseconds(1)) { [tree] in tree.write("0/new.png") }
        try loop.run(until: loop.clock.now.advanced(by: .seconds(1)))
        #expect(ends == 1)
        catalogue?.rescan()
        catalogue?.prefer(positions: 0..<10)
        // Nothing of it wakes the loop any more.
        let sleeps = loop.statistics.sleeps
        try loop.run(until: loop.clock.now.advanced(by: .seconds(200)))
        #expect(loop.statistics.sleeps <= sleeps + 1)
        #expect(ends == 1)
        catalogue = nil
        #expect(weakCatalogue == nil)
    }
}

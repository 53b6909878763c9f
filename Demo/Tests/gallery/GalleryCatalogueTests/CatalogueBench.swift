import GalleryFiles
import IdleLoop
import ScrollModel
import Synchronization

@testable import GalleryCatalogue

/// A catalogue on virtual time, with a page in each order that follows it.
final class CatalogueBench {
    let tree: PictureTree
    let loop: MainLoop
    let time = VirtualTime()
    let pool: WorkerPool
    let catalogue: Catalogue
    private(set) var page: PageList
    private(set) var datedPage: PageList
    var afterChange: (() -> Void)?
    /// The changes of the rows by name.
    private(set) var changes: [RowsChange] = []
    private(set) var issues: [CatalogueIssue] = []
    private(set) var endedIssues: [CatalogueIssue] = []
    /// How many folders may be watched; the system says ENOSPC to one more.
    let watchLimit: Gauge

    init(
        _ tree: PictureTree, limits: CatalogueLimits = .init(), watchLimit: Int = .max,
        numbering number: @escaping @Sendable (FilePath) -> PictureID = { PictureID(of: $0) }
    ) throws {
        self.tree = tree
        let gauge = Gauge(watchLimit)
        self.watchLimit = gauge
        loop = try MainLoop(clock: .virtual(time))
        _ = loop.queueStatistics  // from here on queues that are gone are counted, too
        pool = try WorkerPool(width: 2, on: loop)
        catalogue = Catalogue(
            of: try tree.folder(), on: loop, pool: pool, limits: limits, numbering: number,
            mayWatch: { () throws(FileError) in try gauge.take() })
        page = PageList(of: catalogue)
        datedPage = PageList(of: catalogue, by: .date)
        catalogue.onChange = { [unowned self] change in
            changes.append(change[.name])
            page.follow(change, in: catalogue)
            datedPage.follow(change, in: catalogue)
            afterChange?()
        }
        catalogue.onIssue = { [unowned self] in issues.append($0) }
        catalogue.onIssueEnd = { [unowned self] in endedIssues.append($0) }
    }

    deinit {
        catalogue.close()
        loop.close()
    }

    /// The number of jobs that queues had no room for.
    var dropped: Int { loop.queueStatistics.values.reduce(0) { $0 + $1.dropped } }

    /// Lets so much time pass.
    func run(for time: Duration) throws {
        try loop.run(until: loop.clock.now.advanced(by: time))
    }

    /// Goes on until nothing is left to do.
    func settle() throws {
        repeat {
            try run(for: .milliseconds(500))
        } while !catalogue.isComplete
    }

    func forgetChanges() {
        changes = []
    }

    /// The names of sections and pictures, in order.
    var names: [String] {
        catalogue.list.sections.flatMap { section in
            [section.folder.text + ":"] + section.entries.map(\.path.name)
        }
    }

    /// All that a list is, but its version.
    var content: [CatalogueSection] { catalogue.sections }

    /// The shapes of pictures, in 1/64ths, in an order.
    func ratios(by order: ListOrder = .name) -> [Int] { PageList(of: catalogue, by: order).ratios }

    /// How many more of something there may be, on any thread.
    final class Gauge: Sendable {
        private let left: Mutex<Int>

        init(_ count: Int) {
            left = Mutex(count)
        }

        func set(_ count: Int) {
            left.withLock { $0 = count }
        }

        func take() throws(FileError) {
            let isLeft = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if !isLeft { throw .system(call: "inotify_add_watch", errno: 28) }
        }
    }
}

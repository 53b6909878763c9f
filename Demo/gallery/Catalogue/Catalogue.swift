public import GalleryFiles
public import IdleLoop
public import ScrollModel

/// All pictures in a folder and its subfolders, as a list that follows changes of the files.
///
/// Folders are read on workers, and the system reports which of them change (inotify). The next
/// version of the list is made on a worker too: the loop only exchanges one for the other, and
/// never waits for a disk. Names are read first, giving rows of an estimated shape; then the
/// pictures' headers are read, those in view first.
///
/// There are two orders, by name and by date, and several arrangements in lines, which all follow
/// the files.
///
/// ```swift
/// let catalogue = Catalogue(of: try PictureFolder("/srv/pictures"), on: loop, pool: pool)
/// catalogue.onChange = { change in … }
/// catalogue.prefer(positions: viewport.visibleRows.bounds, by: .name)
/// ```
///
/// At most two folders and two batches of headers are read at once.
public final class Catalogue {
    /// The callback after each change, when the new list is in place.
    public var onChange: ((CatalogueChange) -> Void)?
    /// The callback for problems, called once for each kind until it ends.
    public var onIssue: ((CatalogueIssue) -> Void)?
    /// The callback for the end of a reported problem, when all folders can be read again.
    public var onIssueEnd: ((CatalogueIssue) -> Void)?

    /// The callback for arrangements that are available now; see ``arrange(_:)``.
    public var onArranged: (() -> Void)?
    /// The arrangements in use, of which lines are kept.
    public var arrangementsInUse: (() -> Set<ListArrangement>)?

    /// The callback for changes of the omissions, also without a change of the list.
    public var onOmissionsChange: (() -> Void)?

    private let jobs: CatalogueJobs
    private let folders: FolderReader
    private let headers: HeaderReader
    private let rebuilder: ListRebuilder
    private let limits: CatalogueLimits
    private(set) var list: PictureList
    /// The rows of pictures that were requested since the last change; at most as many as there are
    /// rows.
    private var knownRows: [PictureID: RowIndex] = [:]
    private var headersRead = 0
    private var headersFailed = 0
    private var issues: [CatalogueIssue] = []
    /// The omissions that were reported last.
    private var reportedOmissions = CatalogueOmissions()
    private var startTimer: LoopTimer?

    /// Creates the catalogue of a folder, which is read from the loop's next turn on.
    public convenience init(
        of folder: PictureFolder, on loop: MainLoop, pool: WorkerPool,
        limits: CatalogueLimits = .init()
    ) {
        self.init(
            of: folder, on: loop, pool: pool, limits: limits,
            numbering: { PictureID(of: $0) }, mayWatch: { () throws(FileError) in })
    }

    init(
        of folder: PictureFolder, on loop: MainLoop, pool: WorkerPool, limits: CatalogueLimits,
        numbering number: @escaping @Sendable (FilePath) -> PictureID,
        mayWatch: @escaping @Sendable () throws(FileError) -> Void
    ) {
        self.limits = limits
        jobs = CatalogueJobs(on: loop, pool: pool)
        folders = FolderReader(of: folder, by: jobs, limits: limits, mayWatch: mayWatch)
        headers = HeaderReader(of: folder, by: jobs)
        rebuilder = ListRebuilder(by: jobs)
        list = PictureList(limit: limits.rows, numbering: number)
        folders.onEvent = { [weak self] in self?.handle($0) }
        headers.onRead = { [weak self] in self?.take($0) }
        headers.onReady = { [weak self] in self?.work() }
        rebuilder.onRebuilt = { [weak self] in self?.take($0, of: $1) }
        rebuilder.onReady = { [weak self] in self?.work() }
        startTimer = loop.schedule(after: .zero) { [folders] in folders.start() }
    }

    deinit {
        close()
    }

    /// Starts all work that can be started.
    private func work() {
        guard jobs.isAccepting else { return }
        folders.listNext()
        readHeaders()
        rebuildSoon()
    }

    private func readHeaders() {
        headers.read(in: list, areFoldersRead: folders.isRead)
    }

    private func rebuildSoon() {
        rebuilder.rebuildSoon(list, areFoldersRead: folders.isRead)
    }

    /// Scans all folders again, for when the system has lost events.
    public func rescan() { folders.rescan() }

    /// Gives priority to the headers of visible rows.
    ///
    /// O(log n) for each row whose shape isn't known; of more than a thousand, only the last are
    /// used.
    public func prefer(positions: Range<Int>, by order: ListOrder = .name) {
        headers.prefer(positions, by: order, in: list)
        readHeaders()
    }

    /// Lists the folder of a picture again soon, for when its file isn't the one that the catalogue
    /// knows.
    public func recheckFile(of id: PictureID) {
        if let path = entry(of: id)?.path { folders.recheck(path) }
    }

    /// Ends all work in progress; the list stays as it is.
    public func close() {
        guard !jobs.isClosed else { return }
        onChange = nil
        onIssue = nil
        onIssueEnd = nil
        onArranged = nil
        arrangementsInUse = nil
        onOmissionsChange = nil
        startTimer?.cancel()
        folders.close()
        headers.close()
        rebuilder.close()
        jobs.close()
    }

    // MARK: - Results of work

    private func handle(_ event: FolderReader.Event) {
        switch event {
        case .found(let pictures, let path): rebuilder.add(pictures, of: path)
        case .issue(let issue): report(issue)
        case .listed:
            endIssues()
            reportOmissions()
        case .ready: work()
        }
    }

    private func take(_ header: ReadHeader) {
        headersRead += 1
        if header.pixels == nil { headersFailed += 1 }
        rebuilder.add(header)
    }

    private func take(_ rebuild: ListRebuild, of batch: PendingChanges) {
        list = rebuild.list
        knownRows = [:]
        headers.finish(batch.headers)
        folders.setCut(rebuild.cut, among: batch.folders.keys)
        if !rebuild.cut.isEmpty { report(.tooManyPictures(limit: limits.rows)) }
        defer { reportOmissions() }
        if let change = rebuild.change {
            let rows = change[.name]
            if !rows.inserted.isEmpty || !rows.removed.isEmpty { headers.rowsChanged(in: list) }
            if !rows.removed.isEmpty, rowCount < limits.rows { folders.listCut() }
            onChange?(change)
        }
        if !batch.arrangements.isEmpty { onArranged?() }
        releaseArrangements()
    }

    /// Reports an issue, the first time that its kind occurs.
    private func report(_ issue: CatalogueIssue) {
        guard !issues.contains(where: { $0.kind == issue.kind }) else { return }
        issues.append(issue)
        onIssue?(issue)
    }

    private func reportOmissions() {
        guard omissions != reportedOmissions else { return }
        reportedOmissions = omissions
        onOmissionsChange?()
    }

    /// Reports the end of an issue with folders, if none has it any more.
    private func endIssues() {
        let ended = issues.filter(folders.isOver)
        issues.removeAll(where: folders.isOver)
        for issue in ended { onIssueEnd?(issue) }
    }

    // MARK: - Queries

    /// The version of the list: 0 before the first pictures, incremented with each change.
    public var version: Int { list.version }

    /// Returns the layout of the rows in an order, measured by aspect ratios as far as these are
    /// known: sections by folder or month, with headers.
    public func layout(by order: ListOrder) -> ListLayout { list.rows(in: order).layout }

    /// Returns the lines of an arrangement in use; those of one row each are always there.
    public func lines(of arrangement: ListArrangement) -> ListLayout {
        layout(arrangement) ?? layout(by: arrangement.order)
    }

    /// Returns the lines of an arrangement; nil if they must be made first, see ``arrange(_:)``.
    public func layout(_ arrangement: ListArrangement) -> ListLayout? {
        list.rows(in: arrangement.order).flows[arrangement.flow]
    }

    /// Makes the lines of an arrangement on a worker; ``onArranged`` is called then.
    public func arrange(_ arrangement: ListArrangement) {
        rebuilder.add(arrangement)
        rebuildSoon()
    }

    /// Releases the lines of arrangements that aren't in use.
    public func releaseArrangements() {
        if let used = arrangementsInUse?() { list.keep(used) }
    }

    /// The number of pictures.
    public var rowCount: Int { list.rows.layout.rowCount }

    /// The folders that have pictures, in order.
    public var sections: [CatalogueSection] { list.sections }

    /// The months of the pictures, the newest first, with the number of pictures of each.
    public var months: [(month: Month, rowCount: Int)] {
        list.dates.sections.map { ($0.month, $0.pictures.count) }
    }

    /// Calls `body` with the aspect ratio of each row at these positions, in order, in whole steps
    /// of 1/64.
    ///
    /// O(log n) for each row.
    public func forEachRatio(
        at positions: Range<Int>, by order: ListOrder = .name, _ body: (Int) -> Void
    ) {
        let positions = positions.clamped(to: 0..<rowCount)
        let layout = list.rows(in: order).layout
        for position in positions {
            body(Int(layout.extent(ofRowAt: position).height * ArrangedRows.ratioSteps))
        }
    }

    /// Returns the key of the picture at a position; nil if it isn't below the count of rows.
    public func key(atPosition position: Int, by order: ListOrder = .name) -> PictureKey? {
        guard position < rowCount else { return nil }
        guard order == .name else { return list.dates.key(atPosition: position) }
        // Not by a function of the list, which would be copied for it.
        let row = list.rows.layout.row(atPosition: position)
        return list.sections[row.section].entries[row.row].key
    }

    /// Returns the picture at a position.
    ///
    /// - Precondition: the position is below the count of rows.
    public func entry(atPosition position: Int, by order: ListOrder = .name) -> CatalogueEntry {
        list[list.row(atPosition: position, in: order)]
    }

    /// Returns the position of a picture; nil if it isn't in the list.
    public func position(of id: PictureID, by order: ListOrder = .name) -> Int? {
        row(of: id).map { list.position(of: $0, in: order) }
    }

    /// Returns the picture of this number; nil if it isn't in the list.
    public func entry(of id: PictureID) -> CatalogueEntry? {
        row(of: id).map { list[$0] }
    }

    /// Returns the row of a picture, cached for pictures that are requested again and again.
    private func row(of id: PictureID) -> RowIndex? {
        if let row = knownRows[id] { return row }
        guard let row = list.row(of: id) else { return nil }
        knownRows[id] = row
        return row
    }

    /// Whether all folders and headers have been read and the list is up to date.
    public var isComplete: Bool {
        folders.isComplete && headers.isComplete && rebuilder.isComplete
    }

    /// The files and folders that are not in the list.
    public var omissions: CatalogueOmissions { folders.omissions }

    /// The catalogue's counts.
    public var statistics: CatalogueStatistics {
        var counts = folders.statistics
        counts.headersRead = headersRead
        counts.headersFailed = headersFailed
        return counts
    }
}

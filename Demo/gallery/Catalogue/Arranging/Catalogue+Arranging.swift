import GalleryFiles
import IdleLoop
import ScrollModel

// The next list, made from the current one and the news.
extension Catalogue {
    /// The minimum time between two lists while folders are being read.
    private static var listInterval: Duration { .milliseconds(100) }
    /// The minimum time between two changes of heights.
    private static var heightInterval: Duration { .milliseconds(250) }

    /// Schedules the next list for when the news are due.
    func arrangeSoon() {
        guard mayBegin, !isArranging, let due = arrangeDue() else { return }
        arrangeTimer?.cancel()
        arrangeTimer = nil
        let now = loop.clock.now
        guard due > now else { return arrange(at: now) }
        arrangeTimer = loop.schedule(at: due) { [weak self] in
            guard let self else { return }
            arrangeTimer = nil
            arrangeSoon()
        }
    }

    /// Returns the time at which the news are due in the list; nil if there are none.
    private func arrangeDue() -> Instant? {
        let now = loop.clock.now
        let folders: Instant? =
            if news.folders.isEmpty {
                nil
            } else if areFoldersRead {
                now
            } else {
                lastArranged?.advanced(by: Self.listInterval) ?? now
            }
        let headers = news.headers.isEmpty ? nil : heightsDue(now)
        guard let first = [folders, headers].compactMap(\.self).min() else { return nil }
        return max(first, arrangingRest ?? first)
    }

    private func heightsDue(_ now: Instant) -> Instant {
        lastMeasured?.advanced(by: Self.heightInterval) ?? now
    }

    private func arrange(at now: Instant) {
        var batch = CatalogueNews(folders: news.folders)
        lastArranged = now
        news.folders = [:]
        if !news.headers.isEmpty, heightsDue(now) <= now {
            batch.headers = news.headers
            lastMeasured = now
            news.headers = []
        }
        isArranging = true
        queue.submit(
            .arranging, priority: .higher, on: pool,
            onEnd: { [weak self] end in self?.arrangingEnded(batch, end) },
            work: { [list, batch] in Arrangement(of: list, with: batch) },
            then: { [weak self] arrangement in
                { _ in
                    self?.take(arrangement, of: batch)
                    return .done
                }
            })
    }

    private func arrangingEnded(_ batch: CatalogueNews, _ end: JobEnd) {
        isArranging = false
        guard !isClosed else { return }
        arrangingRest = nil
        if case .done = end {
        } else {
            // Without threads it fails at once, and would fail again.
            arrangingRest = loop.clock.now.advanced(by: .seconds(1))
            // News that arrived meanwhile are newer.
            let newer = news.folders
            news.folders = batch.folders
            for (path, folder) in newer { news.add(folder, of: path) }
            news.headers += batch.headers
        }
        work()
    }

    private func take(_ arrangement: Arrangement, of batch: CatalogueNews) {
        list = arrangement.list
        wishes.finish(batch.headers)
        for (path, news) in batch.folders {
            var wasCut = arrangement.cut.contains(path)
            // Names that weren't examined bring no news.
            if case .some = news, table[path]?.wasCut == true { wasCut = true }
            if table[path]?.wasCut == !wasCut { table.change(path) { $0.wasCut = wasCut } }
        }
        if !arrangement.cut.isEmpty { tell(.tooManyPictures(limit: limits.rows)) }
        guard let change = arrangement.change else { return }
        if !change.inserted.isEmpty || !change.removed.isEmpty {
            wishes.lookAgain()
            wishes.forgetFailures(notIn: list)
        }
        if !change.removed.isEmpty, list.layout.rowCount < limits.rows { fillRoom() }
        onChange?(change)
    }

    /// Lists the folders again of which some pictures exceeded the limit, now that there is room.
    private func fillRoom() {
        for (path, folder) in table.folders where folder.wasCut { table.want(path) }
    }
}

import GalleryFiles
import ScrollModel

/// The list that results from applying pending changes to another, with the visible change.
struct ListRebuild: Sendable {
    private(set) var list: PictureList
    /// The change; nil if there is no visible difference.
    private(set) var change: CatalogueChange?
    /// The folders of which some pictures exceed the limit.
    private(set) var cut: Set<FilePath> = []
    /// The new sections with their new rows.
    private var inserted: [(section: Int, rows: [Int])] = []
    private var removed: [Range<Int>] = []
    private var updates = [ListUpdate]()
    private var areSectionsChanged = false

    /// Applies changes to a list.
    ///
    /// O(changed · log n), and O(m) for the m rows of the folders that were listed, or have
    /// changes, and the number of sections.
    init(of old: PictureList, with changes: PendingChanges) {
        list = old
        mergeSections(of: old, with: changes)
        let mapping = performUpdates()
        let (measured, isKnownMore) = setHeights(changes.headers, mapping)
        guard !updates.isEmpty || isKnownMore else { return }
        list.version += 1
        change = CatalogueChange(
            from: old.version, to: list.version, removed: removed.joined(),
            inserted: insertedPositions().joined(), measured: measured,
            areSectionsChanged: areSectionsChanged, mapping: mapping)
    }

    // MARK: - Inserted and removed rows

    private mutating func mergeSections(of old: PictureList, with changes: PendingChanges) {
        var sections: [CatalogueSection] = []
        sections.reserveCapacity(old.sections.count + changes.folders.count)
        var (next, count) = (0, old.layout.rowCount)
        let folders = changes.folders.sorted {
            NaturalOrder.compare($0.key.bytes, $1.key.bytes) < 0
        }
        for (folder, changes) in folders {
            let place = old.firstSection(notBefore: folder, from: next)
            sections += old.sections[next..<place]
            let isThere = place < old.sections.count && old.sections[place].folder == folder
            next = isThere ? place + 1 : place
            let section = isThere ? old.sections[place] : nil
            let entries = section?.entries ?? []
            let room = old.limit - count + entries.count
            let merge =
                switch changes {
                case .all(let listed):
                    FolderMerge(
                        of: entries, with: listed, from: folder.bytes.count, room: room,
                        in: &list.index)
                case .some(let changes):
                    FolderMerge(of: section, with: changes, room: room, in: &list.index)
                }
            count += merge.entries.count - entries.count
            if merge.isCut { cut.insert(folder) }
            note(merge, of: folder, in: old, at: isThere ? place : nil, to: sections.count)
            if !merge.entries.isEmpty {
                sections.append(CatalogueSection(folder: folder, entries: merge.entries))
            }
        }
        sections += old.sections[next...]
        list.sections = sections
    }

    /// Converts the merge of a section to updates: `place` is its old number, `number` its new one.
    private mutating func note(
        _ merge: FolderMerge, of folder: FilePath, in old: PictureList, at place: Int?,
        to number: Int
    ) {
        if merge.removed.isEmpty && merge.inserted.isEmpty { return }
        if merge.removed.count != merge.inserted.count { areSectionsChanged = true }
        let start = place.map { old.layout.position(of: RowIndex(section: $0, row: 0)) } ?? 0
        removed += merge.removed.ranges(from: start)
        if !merge.inserted.isEmpty { inserted.append((number, merge.inserted)) }
        if let place, merge.keptCount > 0 {
            updates += merge.removed.map { .deleteRow(RowIndex(section: place, row: $0)) }
            updates += merge.inserted.map { .insertRow(RowIndex(section: number, row: $0)) }
        } else {
            // Deleting the whole section costs no more than deleting one row.
            if let place { updates.append(.deleteSection(place)) }
            if !merge.entries.isEmpty {
                updates.append(.insertSection(number, rows: merge.entries.count))
            }
        }
    }

    private mutating func performUpdates() -> IndexMapping {
        do {
            let mapping = try list.layout.perform(updates)
            for call in updates {
                guard case .insertSection(let section, _) = call else { continue }
                try list.layout.setHeight(list.geometry.header, of: .header(section: section))
                try list.layout.setHeight(0, of: .footer(section: section))
            }
            return mapping
        } catch {
            preconditionFailure("what a list is told adds up: \(error)")
        }
    }

    private func insertedPositions() -> [Range<Int>] {
        inserted.flatMap { section, rows in
            rows.ranges(from: list.layout.position(of: RowIndex(section: section, row: 0)))
        }
    }

    // MARK: - Measured rows

    /// Sets the heights of rows whose headers were read; returns the rows whose height changed, and
    /// whether any size is newly known.
    private mutating func setHeights(
        _ headers: [ReadHeader], _ mapping: IndexMapping
    ) -> (measured: [Int], isKnownMore: Bool) {
        var measured: Set<Int> = []
        var isKnownMore = false
        for header in headers {
            // The name may belong to another file by now.
            guard let row = list.row(of: header.key.id), list[row].key == header.key else {
                continue
            }
            let before = list.layout.extent(of: .row(row)).height
            // A shortcut has no header, but its size may be known.
            let pixels = header.pixels ?? list[row].pixels
            let height = pixels.map(list.geometry.height) ?? list.geometry.estimate
            list.sections[row.section].entries[row.row].pixels = pixels
            list.sections[row.section].entries[row.row].taken = header.taken
            do {
                try list.layout.setHeight(height, of: .row(row))
            } catch {
                preconditionFailure("a row's height can be: \(error)")
            }
            if header.pixels != nil { isKnownMore = true }
            if height != before, mapping.oldIndex(of: row) != nil {
                measured.insert(list.layout.position(of: row))
            }
        }
        return (measured.sorted(), isKnownMore)
    }
}

extension [Int] {
    /// Returns ascending numbers as ranges, each shifted by `start`.
    fileprivate func ranges(from start: Int) -> [Range<Int>] {
        map { $0 + start..<$0 + start + 1 }.joined()
    }
}

extension [Range<Int>] {
    /// Returns ascending ranges, with adjacent ones merged.
    fileprivate func joined() -> [Range<Int>] {
        reduce(into: []) { ranges, range in
            if let last = ranges.last, last.upperBound == range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
    }
}

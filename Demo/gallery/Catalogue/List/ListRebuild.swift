import GalleryFiles
import ScrollModel

/// The list that results from applying pending changes to another, with the visible change.
struct ListRebuild: Sendable {
    private(set) var list: PictureList
    /// The change; nil if there is no visible difference.
    private(set) var change: CatalogueChange?
    /// The folders of which some pictures exceed the limit.
    private(set) var cut: Set<FilePath> = []
    /// The pictures that the list by date has no more, as they were there.
    private var undated: [DateList.Picture] = []
    /// The pictures that are to be inserted in the list by date.
    private var dated: [PictureID: DateList.Picture] = [:]
    /// The rows of pictures whose headers were read, in the new list.
    private var touched: [RowIndex] = []

    /// Applies changes to a list.
    ///
    /// O(changed · log n), and O(m) for the m rows of the folders that were listed, of the
    /// months of pictures that come or go, and the number of sections.
    init(of old: PictureList, with changes: PendingChanges) {
        list = old
        for arrangement in changes.arrangements { list.arrange(arrangement) }
        let update = mergeSections(of: old, with: changes)
        let isSizeKnown = takeHeaders(changes.headers)
        guard !update.isEmpty || !touched.isEmpty else { return }
        let byName = update.perform(on: &list.rows, ratios: touched.map { ($0, list[$0].ratio) })
        let byDate = changeDates()
        guard !update.isEmpty || !dated.isEmpty || isSizeKnown else { return }
        list.version += 1
        change = CatalogueChange(
            from: old.version, to: list.version, byName: byName, byDate: byDate)
    }

    // MARK: - Inserted and removed rows

    private mutating func mergeSections(
        of old: PictureList, with changes: PendingChanges
    ) -> RowsUpdate {
        var (update, sections) = (RowsUpdate(), [CatalogueSection]())
        sections.reserveCapacity(old.sections.count + changes.folders.count)
        var (next, count) = (0, old.rows.layout.rowCount)
        let folders = changes.folders.sorted {
            NaturalOrder.compare($0.key.bytes, $1.key.bytes) < 0
        }
        for (folder, listed) in folders {
            let place = old.firstSection(notBefore: folder, from: next)
            sections += old.sections[next..<place]
            let isThere = place < old.sections.count && old.sections[place].folder == folder
            next = isThere ? place + 1 : place
            let entries = isThere ? old.sections[place].entries : []
            let room = old.limit - count + entries.count
            let merge = FolderMerge(
                of: entries, with: listed, from: folder.bytes.count, room: room, in: &list.index)
            count += merge.entries.count - entries.count
            if merge.isCut { cut.insert(folder) }
            update.add(
                removed: merge.removed, inserted: merge.inserted, count: merge.entries.count,
                in: old.rows.layout, at: isThere ? place : nil, to: sections.count)
            undated += merge.removed.map { DateList.Picture(entries[$0]) }
            for row in merge.inserted {
                let picture = DateList.Picture(merge.entries[row])
                dated[picture.key.id] = picture
            }
            if !merge.entries.isEmpty {
                sections.append(CatalogueSection(folder: folder, entries: merge.entries))
            }
        }
        sections += old.sections[next...]
        list.sections = sections
        return update
    }

    // MARK: - Facts in headers

    /// Takes the facts that were read; returns whether any size is newly known.
    private mutating func takeHeaders(_ headers: [ReadHeader]) -> Bool {
        var isKnownMore = false
        for header in headers {
            // The name may belong to another file by now.
            guard let row = list.row(of: header.key.id), list[row].key == header.key else {
                continue
            }
            let before = list[row]
            list.sections[row.section].entries[row.row].pixels = header.pixels
            list.sections[row.section].entries[row.row].taken = header.taken
            if header.pixels != nil { isKnownMore = true }
            touched.append(row)
            let now = DateList.Picture(list[row])
            if now.date != before.date, dated.updateValue(now, forKey: header.key.id) == nil {
                undated.append(DateList.Picture(before))
            }
        }
        return isKnownMore
    }

    private mutating func changeDates() -> RowsChange {
        let update = list.dates.change(removed: undated, inserted: Array(dated.values))
        let ratios = touched.compactMap { row in
            list.dates.row(of: DateList.Picture(list[row])).map { ($0, list[row].ratio) }
        }
        return update.perform(on: &list.dates.rows, ratios: ratios)
    }
}

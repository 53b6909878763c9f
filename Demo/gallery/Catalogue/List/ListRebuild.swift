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
    /// The pictures whose facts have changed; those that are to be inserted in the list by date.
    private var (touched, dated): (Set<PictureID>, Set<PictureID>) = ([], [])

    /// Applies changes to a list.
    ///
    /// O(changed · log n), and O(m) for the m rows of the folders that were listed, or have
    /// changes, of the months of pictures that come or go, and the number of sections.
    init(of old: PictureList, with changes: PendingChanges) {
        list = old
        for arrangement in changes.arrangements { list.arrange(arrangement) }
        let update = mergeSections(of: old, with: changes)
        let isKnownMore = takeHeaders(changes.headers)
        guard !update.isEmpty || !touched.isEmpty else { return }
        let byName = update.perform(on: &list.rows, ratios: ratios(of: touched) { list.row(of: $0) })
        let byDate = changeDates()
        guard !update.isEmpty || isKnownMore else { return }
        list.version += 1
        change = CatalogueChange(
            from: old.version, to: list.version, byName: byName, byDate: byDate)
    }

    /// Returns the rows of pictures, with their aspect ratios.
    private func ratios(
        of ids: Set<PictureID>, at row: (PictureID) -> RowIndex?
    ) -> [(row: RowIndex, ratio: Double?)] {
        ids.compactMap { id in
            guard let named = list.row(of: id), let row = row(id) else { return nil }
            return (row, list[named].ratio)
        }
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
            update.add(
                removed: merge.removed, inserted: merge.inserted, count: merge.entries.count,
                in: old.rows.layout, at: isThere ? place : nil, to: sections.count)
            undated += merge.removed.map { DateList.Picture(entries[$0]) }
            for row in merge.inserted { dated.insert(merge.entries[row].key.id) }
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
            // A shortcut has no header, but its size may be known.
            list.sections[row.section].entries[row.row].pixels = header.pixels ?? before.pixels
            list.sections[row.section].entries[row.row].taken = header.taken
            if header.pixels != nil { isKnownMore = true }
            touched.insert(header.key.id)
            if list[row].date != before.date, dated.insert(header.key.id).inserted {
                undated.append(DateList.Picture(before))
            }
        }
        return isKnownMore
    }

    private mutating func changeDates() -> RowsChange {
        let pictures = dated.compactMap { id in
            list.row(of: id).map { DateList.Picture(list[$0]) }
        }
        let update = list.dates.change(removed: undated, inserted: pictures)
        let ratios = ratios(of: touched.union(dated)) { id in
            list.row(of: id).flatMap { list.dates.row(of: DateList.Picture(list[$0])) }
        }
        return update.perform(on: &list.dates.rows, ratios: ratios)
    }
}

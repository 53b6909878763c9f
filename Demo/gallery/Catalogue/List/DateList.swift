import GalleryFiles
import ScrollModel

/// The pictures of a list by date, the newest first, in sections by month.
///
/// It follows the list by name, and has no facts of its own: each picture is found there by its
/// number.
struct DateList: Sendable {
    /// A picture with its date.
    struct Picture: Hashable, Sendable {
        /// The time at which it was taken, in seconds since 1970.
        let date: Int
        let key: PictureKey
        let path: FilePath

        init(_ entry: CatalogueEntry) {
            (date, key, path) = (entry.date, entry.key, entry.path)
        }

        /// Returns a negative number if a picture comes before another, a positive one after it;
        /// zero for the same.
        static func order(_ one: Picture, _ other: Picture) -> Int {
            one.date == other.date
                ? NaturalOrder.compare(one.path.bytes, other.path.bytes)
                : one.date > other.date ? -1 : 1
        }
    }

    /// The pictures of a month; never empty.
    struct Section: Sendable {
        let month: Month
        fileprivate(set) var pictures: [Picture]
    }

    private(set) var sections: [Section] = []
    var rows = ArrangedRows()

    /// Returns the key of the picture at a position.
    func key(atPosition position: Int) -> PictureKey {
        let row = rows.layout.row(atPosition: position)
        return sections[row.section].pictures[row.row].key
    }

    /// Returns the row of a picture; nil if it isn't there with this date.
    ///
    /// O(log n).
    func row(of picture: Picture) -> RowIndex? {
        let section = section(notAfter: Month(ofTime: picture.date))
        guard section < sections.count else { return nil }
        let (row, isThere) = Self.place(of: picture, in: sections[section].pictures)
        return isThere ? RowIndex(section: section, row: row) : nil
    }

    /// Returns the first section that is a month or before it.
    private func section(notAfter month: Month) -> Int {
        sections.indices.partitionPoint { sections[$0].month <= month }
    }

    private static func place(
        of picture: Picture, in pictures: [Picture]
    ) -> (row: Int, isThere: Bool) {
        // Most differ in their dates, and need not be compared as a whole.
        let row = pictures.indices.partitionPoint { row in
            let date = pictures[row].date
            return date < picture.date
                || date == picture.date && Picture.order(pictures[row], picture) >= 0
        }
        return (row, row < pictures.count && Picture.order(pictures[row], picture) == 0)
    }

    /// Removes pictures, which must be there, and inserts others.
    ///
    /// O(k log n) for k pictures, and O(m) for the m pictures of their months and the number of
    /// sections.
    ///
    /// - Returns: The updates, which have yet to be performed on the rows.
    mutating func change(removed: [Picture], inserted: [Picture]) -> RowsUpdate {
        var changes: [Month: (removed: [Picture], inserted: [Picture])] = [:]
        for picture in removed {
            changes[Month(ofTime: picture.date), default: ([], [])].removed.append(picture)
        }
        for picture in inserted {
            changes[Month(ofTime: picture.date), default: ([], [])].inserted.append(picture)
        }
        var (update, next, changed) = (RowsUpdate(), 0, [Section]())
        for (month, change) in changes.sorted(by: { $0.key > $1.key }) {
            let place = section(notAfter: month)
            changed += sections[next..<place]
            let isThere = place < sections.count && sections[place].month == month
            next = isThere ? place + 1 : place
            let merge = Self.merge(
                isThere ? sections[place].pictures : [], without: change.removed,
                with: change.inserted)
            update.add(
                removed: merge.removed, inserted: merge.inserted, count: merge.pictures.count,
                in: rows.layout, at: isThere ? place : nil, to: changed.count)
            if !merge.pictures.isEmpty {
                changed.append(Section(month: month, pictures: merge.pictures))
            }
        }
        changed += sections[next...]
        sections = changed
        return update
    }

    /// Returns the pictures after a change, the removed rows by their old numbers, and the inserted
    /// ones by their new numbers.
    private static func merge(
        _ old: [Picture], without gone: [Picture], with come: [Picture]
    ) -> (pictures: [Picture], removed: [Int], inserted: [Int]) {
        let removed = gone.map { place(of: $0, in: old).row }.sorted()
        let come = come.sorted { Picture.order($0, $1) < 0 }
        var (pictures, inserted): ([Picture], [Int]) = ([], [])
        pictures.reserveCapacity(old.count + come.count - gone.count)
        var (next, nextGone) = (0, 0)
        func keep(_ end: Int) {
            while nextGone < removed.count, removed[nextGone] < end {
                pictures += old[next..<removed[nextGone]]
                next = removed[nextGone] + 1
                nextGone += 1
            }
            pictures += old[min(next, end)..<end]
            next = max(next, end)
        }
        for picture in come {
            keep(place(of: picture, in: old).row)
            inserted.append(pictures.count)
            pictures.append(picture)
        }
        keep(old.count)
        return (pictures, removed, inserted)
    }
}

import GalleryFiles

/// The next state of a section whose folder was listed again: a merge of two sorted lists.
struct FolderMerge {
    /// The pictures after the merge.
    private(set) var entries: [CatalogueEntry] = []
    /// The removed rows, by their old numbers.
    private(set) var removed: [Int] = []
    /// The inserted rows, by their new numbers.
    private(set) var inserted: [Int] = []
    /// Whether some pictures exceeded the limit.
    private(set) var isCut = false

    /// The number of pictures that stay.
    var keptCount: Int { entries.count - inserted.count }

    /// Merges a section with the new content of its folder.
    ///
    /// - Parameters:
    ///   - old: The pictures of the section.
    ///   - listed: The pictures of the folder, in order.
    ///   - start: The position in a path from which names can differ.
    ///   - room: The maximum number of pictures.
    ///   - index: The index of picture numbers, which is updated.
    init(
        of old: [CatalogueEntry], with listed: [ListedPicture], from start: Int, room: Int,
        in index: inout PictureIndex
    ) {
        entries.reserveCapacity(min(listed.count, room))
        // Removed pictures make room, so those that stay are counted before new ones are added.
        var free = room
        var next = 0
        var kept: [Int?] = []
        kept.reserveCapacity(listed.count)
        for picture in listed {
            while next < old.count, Self.order(old[next], picture, start) < 0 {
                removed.append(next)
                index.remove(old[next].key.id)
                next += 1
            }
            guard next < old.count, Self.order(old[next], picture, start) == 0 else {
                kept.append(nil)
                continue
            }
            kept.append(next)
            next += 1
            free -= 1
        }
        for gone in next..<old.count {
            removed.append(gone)
            index.remove(old[gone].key.id)
        }
        var replaced: [Int] = []
        for (picture, place) in zip(listed, kept) {
            if let place {
                let entry = old[place]
                if entry.isStill(picture) {
                    entries.append(entry)
                    continue
                }
                replaced.append(place)
                add(picture, as: entry.key.id)
            } else if free > 0 {
                free -= 1
                add(picture, as: index.add(picture.path))
            } else {
                isCut = true
            }
        }
        if !replaced.isEmpty { removed = (removed + replaced).sorted() }
    }

    /// Merges a section with the new content of some names in its folder.
    ///
    /// O(k log m) for k names and m pictures, and a copy of these.
    ///
    /// - Parameters:
    ///   - section: The section; nil if the folder has none.
    ///   - changes: The pictures of the names; nil for a name without one.
    ///   - room: The maximum number of pictures.
    ///   - index: The index of picture numbers, which is updated.
    init(
        of section: CatalogueSection?, with changes: [FilePath: ListedPicture?], room: Int,
        in index: inout PictureIndex
    ) {
        let old = section?.entries ?? []
        let places = changes.map { path, picture in
            let place = section?.row(of: path) ?? (row: 0, isThere: false)
            return (path: path, picture: picture, place: place)
        }.sorted { NaturalOrder.compare($0.path.bytes, $1.path.bytes) < 0 }
        // Removed pictures make room, so they are removed before new ones are added.
        var free = room - old.count
        for (_, picture, place) in places where place.isThere && picture == nil {
            index.remove(old[place.row].key.id)
            free += 1
        }
        entries.reserveCapacity(old.count + places.count)
        var next = 0
        for (path, picture, place) in places {
            entries += old[next..<place.row]
            next = place.row + (place.isThere ? 1 : 0)
            if place.isThere {
                let entry = old[place.row]
                if let picture, entry.isStill(picture) {
                    entries.append(entry)
                } else {
                    removed.append(place.row)
                    if let picture { add(picture, as: entry.key.id) }
                }
            } else if let picture {
                if free > 0 {
                    free -= 1
                    add(picture, as: index.add(path))
                } else {
                    isCut = true
                }
            }
        }
        entries += old[next...]
    }

    private mutating func add(_ picture: ListedPicture, as id: PictureID) {
        inserted.append(entries.count)
        entries.append(
            CatalogueEntry(
                key: PictureKey(id: id, stamp: picture.stamp), path: picture.path,
                byteCount: picture.byteCount, modified: picture.modified))
    }

    private static func order(
        _ entry: CatalogueEntry, _ picture: ListedPicture, _ start: Int
    ) -> Int {
        NaturalOrder.compare(entry.path.bytes, picture.path.bytes, from: start)
    }
}

extension CatalogueEntry {
    /// Returns whether the file is unchanged.
    fileprivate func isStill(_ picture: ListedPicture) -> Bool {
        key.stamp == picture.stamp && byteCount == picture.byteCount
    }
}

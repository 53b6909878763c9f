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

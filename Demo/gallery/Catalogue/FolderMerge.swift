import GalleryFiles

/// The next state of a section whose folder was listed again: a merge of two sorted rows of names.
struct FolderMerge {
    /// The pictures afterwards.
    private(set) var entries: [CatalogueEntry] = []
    /// The rows that go, by their old numbers.
    private(set) var removed: [Int] = []
    /// The rows that come, by their new numbers.
    private(set) var inserted: [Int] = []
    /// Whether there were more pictures than there was room for.
    private(set) var isCut = false

    /// The number of pictures that stay.
    var keptCount: Int { entries.count - inserted.count }

    /// Merges what a section has with what its folder has now.
    ///
    /// - Parameters:
    ///   - old: What the section has.
    ///   - listed: What the folder has, in order.
    ///   - start: Where in a path the names begin to differ.
    ///   - room: How many pictures there may be.
    ///   - index: Where numbers are given and taken back.
    init(
        of old: [CatalogueEntry], with listed: [ListedPicture], from start: Int, room: Int,
        in index: inout PictureIndex
    ) {
        entries.reserveCapacity(min(listed.count, room))
        // What goes makes room, so what stays is counted before what comes.
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

    /// Merges what a section has with what some names in its folder stand for now.
    ///
    /// O(k log m) for k names and m pictures, and a copy of these.
    ///
    /// - Parameters:
    ///   - section: The section; nil if the folder has none.
    ///   - changes: What the names stand for; nil for what is no picture any more.
    ///   - room: How many pictures there may be.
    ///   - index: Where numbers are given and taken back.
    init(
        of section: CatalogueSection?, with changes: [FilePath: ListedPicture?], room: Int,
        in index: inout PictureIndex
    ) {
        let old = section?.entries ?? []
        let places = changes.map { path, picture in
            let place = section?.row(of: path) ?? (row: 0, isThere: false)
            return (path: path, picture: picture, place: place)
        }.sorted { NaturalOrder.compare($0.path.bytes, $1.path.bytes) < 0 }
        // What goes makes room, so it goes before anything comes.
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
                byteCount: picture.byteCount, pixels: nil))
    }

    private static func order(
        _ entry: CatalogueEntry, _ picture: ListedPicture, _ start: Int
    ) -> Int {
        NaturalOrder.compare(entry.path.bytes, picture.path.bytes, from: start)
    }
}

extension CatalogueEntry {
    /// Whether a file is the one it was.
    fileprivate func isStill(_ picture: ListedPicture) -> Bool {
        key.stamp == picture.stamp && byteCount == picture.byteCount
    }
}

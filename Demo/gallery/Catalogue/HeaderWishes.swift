import GalleryFiles
import ScrollModel

/// Which headers are to be read next: first those of rows that somebody looks at, then all in order.
struct HeaderWishes {
    /// A picture whose header is to be read.
    struct Wish: Sendable {
        let key: PictureKey
        let path: FilePath
    }

    /// Those somebody looks at; the last comes first.
    private var urgent: [PictureID] = []
    /// From which row on some may not have been asked for; nil if all were.
    private var next: Int? = 0
    /// Whose reading is under way, or whose height isn't in the list yet.
    private var asked: Set<PictureKey> = []
    /// Those that failed and may be asked for again later.
    private var failed: [PictureKey] = []
    /// The number of their failures.
    private var failures: [PictureKey: Int] = [:]

    /// The most urgent ones that are remembered.
    private static let most = 1024
    /// After how many failures a header counts as one that tells nothing.
    private static let patience = 3

    /// Whether there is nothing to ask for and nothing under way.
    var isEmpty: Bool { urgent.isEmpty && next == nil && asked.isEmpty }

    /// Makes the rows at these positions the first, in their order.
    mutating func prefer(_ positions: Range<Int>, in list: PictureList) {
        let known = positions.clamped(to: 0..<list.layout.rowCount)
        for position in known.suffix(Self.most).reversed() {
            let row = list.layout.row(atPosition: position)
            if !list.layout.isMeasured(.row(row)) { urgent.append(list[row].key.id) }
        }
        if urgent.count > Self.most { urgent.removeFirst(urgent.count - Self.most) }
    }

    /// Looks through the whole list again, as there are rows that weren't there.
    mutating func lookAgain() {
        next = 0
    }

    /// Those somebody looks at, at most so many.
    mutating func takeUrgent(_ most: Int, in list: PictureList) -> [Wish] {
        var wishes: [Wish] = []
        while wishes.count < most, let id = urgent.popLast() {
            guard let row = list.row(of: id), !list.layout.isMeasured(.row(row)) else { continue }
            ask(for: list[row], &wishes)
        }
        return wishes
    }

    /// Returns the next in order, at most so many; O(log n) for each, and for each under way.
    mutating func takeNext(_ most: Int, in list: PictureList) -> [Wish] {
        var wishes: [Wish] = []
        while let position = next, wishes.count < most {
            guard position < list.layout.rowCount,
                case .row(let row)? = list.layout.firstUnmeasured(
                    from: .row(list.layout.row(atPosition: position)))
            else {
                next = nil
                break
            }
            ask(for: list[row], &wishes)
            next = list.layout.position(of: row) + 1
        }
        return wishes
    }

    private mutating func ask(for entry: CatalogueEntry, _ wishes: inout [Wish]) {
        guard asked.insert(entry.key).inserted else { return }
        wishes.append(Wish(key: entry.key, path: entry.path))
    }

    /// Notes that a header couldn't be read; false if it has been tried often enough.
    mutating func postpone(_ key: PictureKey, counts: Bool) -> Bool {
        if counts { failures[key, default: 0] += 1 }
        guard failures[key, default: 0] < Self.patience else { return false }
        failed.append(key)
        return true
    }

    /// Asks again for those that failed.
    mutating func retry() {
        for key in failed { asked.remove(key) }
        failed = []
        lookAgain()
    }

    /// Notes that what was read is in the list, or was found to be of no use.
    mutating func finish(_ headers: [ReadHeader]) {
        for header in headers {
            asked.remove(header.key)
            failures[header.key] = nil
        }
    }

    /// Forgets how often those failed that are no longer in the list.
    mutating func forgetFailures(notIn list: PictureList) {
        guard !failures.isEmpty else { return }
        failures = failures.filter { key, _ in
            list.row(of: key.id).map { list[$0].key == key } ?? false
        }
    }

    /// Gives back what a job had that didn't run.
    mutating func giveBack(_ wishes: [Wish]) {
        for wish in wishes { asked.remove(wish.key) }
        lookAgain()
    }
}

import GalleryFiles
import ScrollModel

/// The queue of headers to read: first those of visible rows, then all in order.
struct HeaderQueue {
    /// A picture whose header is to be read.
    struct Request: Sendable {
        let key: PictureKey
        let path: FilePath
    }

    /// The pictures of visible rows; the last is read first.
    private var urgent: [PictureID] = []
    /// The first row whose header may not have been requested; nil if all were.
    private var next: Int? = 0
    /// The pictures whose header is being read, or whose height isn't in the list yet.
    private var requested: Set<PictureKey> = []
    /// The pictures whose header failed and may be retried.
    private var failed: [PictureKey] = []
    /// The number of failures of each.
    private var failures: [PictureKey: Int] = [:]

    /// The maximum number of urgent pictures that are kept.
    private static let most = 1024
    /// The number of failures after which a header counts as invalid.
    private static let patience = 3

    /// Whether nothing is left to request and nothing is in progress.
    var isEmpty: Bool { urgent.isEmpty && next == nil && requested.isEmpty }

    /// Moves the rows at these positions in an order to the front, in their order.
    mutating func prefer(_ positions: Range<Int>, by order: ListOrder, in list: PictureList) {
        let known = positions.clamped(to: 0..<list.rows.layout.rowCount)
        for position in known.suffix(Self.most).reversed() {
            let row = list.row(atPosition: position, in: order)
            if !list.rows.layout.isMeasured(.row(row)) { urgent.append(list[row].key.id) }
        }
        if urgent.count > Self.most { urgent.removeFirst(urgent.count - Self.most) }
    }

    /// Starts again at the first row, for when there are new rows.
    mutating func restart() {
        next = 0
    }

    /// Takes the visible ones, at most `most`.
    mutating func takeUrgent(_ most: Int, in list: PictureList) -> [Request] {
        var requests: [Request] = []
        while requests.count < most, let id = urgent.popLast() {
            guard let row = list.row(of: id), !list.rows.layout.isMeasured(.row(row)) else {
                continue
            }
            request(list[row], into: &requests)
        }
        return requests
    }

    /// Takes the next in order, at most `most`; O(log n) for each, and for each in progress.
    mutating func takeNext(_ most: Int, in list: PictureList) -> [Request] {
        var requests: [Request] = []
        let layout = list.rows.layout
        while let position = next, requests.count < most {
            guard position < layout.rowCount,
                case .row(let row)? = layout.firstUnmeasured(
                    from: .row(layout.row(atPosition: position)))
            else {
                next = nil
                break
            }
            request(list[row], into: &requests)
            next = layout.position(of: row) + 1
        }
        return requests
    }

    private mutating func request(_ entry: CatalogueEntry, into requests: inout [Request]) {
        guard requested.insert(entry.key).inserted else { return }
        requests.append(Request(key: entry.key, path: entry.path))
    }

    /// Records a failure to read a header; returns false if it isn't to be retried.
    mutating func postpone(_ key: PictureKey, counts: Bool) -> Bool {
        if counts { failures[key, default: 0] += 1 }
        guard failures[key, default: 0] < Self.patience else { return false }
        failed.append(key)
        return true
    }

    /// Requests the failed ones again.
    mutating func retry() {
        for key in failed { requested.remove(key) }
        failed = []
        restart()
    }

    /// Records that results are in the list, or were discarded.
    mutating func finish(_ headers: [ReadHeader]) {
        for header in headers {
            requested.remove(header.key)
            failures[header.key] = nil
        }
    }

    /// Removes the failure counts of pictures that are no longer in the list.
    mutating func forgetFailures(notIn list: PictureList) {
        guard !failures.isEmpty else { return }
        failures = failures.filter { key, _ in
            list.row(of: key.id).map { list[$0].key == key } ?? false
        }
    }

    /// Puts back the pictures of a job that didn't run.
    mutating func putBack(_ requests: [Request]) {
        for request in requests { requested.remove(request.key) }
        restart()
    }
}

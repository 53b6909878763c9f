import DeferredLoading
import IdleLoop
import ImageLoading

/// Where the loader of D7 gets the pictures of a list's rows from.
struct ListSource: LoadSource {
    let rows: [ListRow]

    func cost(of row: Int) -> Duration? { rows[row].isForWorker ? nil : rows[row].cost }

    func fetch(_ row: Int) -> Fetch<Picture>? {
        let row = rows[row]
        guard row.isForWorker else { return nil }
        return Fetch(cost: row.cost) { try row.decoder.decode() }
    }

    func load(_ row: Int, fetched: Picture?) -> any Load<Picture> {
        if let fetched { return FetchedPicture(fetched) }
        return SlicedPicture(rows[row].decoder)
    }

    func retry(_ row: Int, after error: any Error, failures: Int) -> LoadRetry { .never }
}

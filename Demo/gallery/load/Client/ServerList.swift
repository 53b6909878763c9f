internal import IdleLoop
internal import ScrollModel

/// The server's list at one time.
struct ServerList {
    let layout: ListLayout
    let version: Int
    /// The rows, if they were fetched; sorted from large pictures to small ones.
    let rows: [RowFacts.Row]
}

/// The fetching of the server's list.
final class ListFetcher {
    private let session: HTTPSession
    private let hasRows: Bool
    private let then: (ServerList?) -> Void
    private var parts: [ListFacts] = []
    private var rows: [RowFacts.Row] = []

    /// Fetches the list, with its rows if they are wanted; nil if the server doesn't answer.
    init(
        from server: ServerAddress, on loop: MainLoop, withRows hasRows: Bool,
        then: @escaping (ServerList?) -> Void
    ) {
        session = HTTPSession(server, from: 0, on: loop)
        self.hasRows = hasRows
        self.then = then
    }

    func start() { fetchShapes(from: 0) }

    private func end(with list: ServerList?) {
        session.close()
        then(list)
    }

    private func fetchShapes(from row: Int) {
        session.send("GET", "/list?from=\(row)") { [unowned self] answer in
            guard let body = answer?.body, answer?.status == 200,
                let part = try? ListFacts(json: body)
            else { return end(with: nil) }
            parts.append(part)
            if let next = part.next { return fetchShapes(from: next) }
            guard let layout = try? ListFacts.layout(parts) else { return end(with: nil) }
            fetchRows(of: layout, version: part.version)
        }
    }

    private func fetchRows(of layout: ListLayout, version: Int) {
        let (first, limit) = (rows.count, min(rows.count + 256, layout.rowCount))
        guard hasRows, first < limit else {
            rows.sort { $0.area > $1.area }
            return end(with: ServerList(layout: layout, version: version, rows: rows))
        }
        session.send("GET", "/rows?v=\(version)&from=\(first)&to=\(limit)") {
            [unowned self] answer in
            guard let body = answer?.body, answer?.status == 200,
                let more = try? RowFacts(json: body).rows, !more.isEmpty
            else { return end(with: nil) }
            rows += more
            fetchRows(of: layout, version: version)
        }
    }
}

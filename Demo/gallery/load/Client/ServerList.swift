internal import IdleLoop
internal import ScrollModel

/// The server's list at one time.
struct ServerList {
    let layout: ListLayout
    let version: Int
}

/// The fetching of the server's list.
final class ListFetcher {
    private let session: HTTPSession
    private let then: (ServerList?) -> Void
    private var parts: [ListFacts] = []

    /// Fetches the list; nil if the server doesn't answer.
    init(
        from server: ServerAddress, on loop: MainLoop, then: @escaping (ServerList?) -> Void
    ) {
        session = HTTPSession(server, from: 0, on: loop)
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
            end(with: ServerList(layout: layout, version: part.version))
        }
    }
}

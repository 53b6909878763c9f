import GalleryTestSupport
import GalleryWeb

/// What comes back on a connection of its own, read as it comes.
final class WebAnswer {
    private let connection: TestClient

    init(of request: String, port: UInt16) {
        connection = TestClient(to: .tcp(host: "127.0.0.1", port: Int(port)))
        connection.send(request)
    }

    private var client: TestClient {
        connection.look()
        return connection
    }

    /// Whether the server has closed.
    var isOver: Bool { client.isOver }
    /// All that has come.
    var text: String { client.text }
    var status: Int { client.statuses.first ?? 0 }
    func header(_ name: String) -> String? { client.header(name) }
    /// What comes after the head, in bytes; parts are as they came.
    var body: [UInt8] { client.bodyBytes }
    var bodyText: String { client.body }
}

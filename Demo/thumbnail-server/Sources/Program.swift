import Foundation

/// Serves thumbnails: thumbnail-server [--work lull|lulls|threadpool|handler] [--port 8080] [FOLDER].
///
/// With `--measure`, shows what each way of making them does to other requests.
@main
struct Program {
    static func main() async throws {
        var (works, port, isMeasuring, folder) = (Work.allCases, 8080, false, "Demo/photos")
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            switch word {
            case "--measure": isMeasuring = true
            case "--work": works = words.popFirst().flatMap(Work.init).map { [$0] } ?? []
            case "--port": port = words.popFirst().flatMap { Int($0) } ?? port
            default: folder = word
            }
        }
        let photos = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            .map { "\(folder)/\($0)" }
        guard isMeasuring else {
            let server = Server(work: works.first ?? .lull, photos: photos)
            return try await server.run(port: port) { print("http://127.0.0.1:\($0)/thumbnail/0") }
        }
        print("milliseconds of /healthz      p50      p99      max   requests   thumbnails/s")
        for work in works { try await measure(Server(work: work, photos: photos)) }
    }

    private static func measure(_ server: Server) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let running = Task { try await server.run(port: 0) { port.yield($0) } }
        guard let number = await ports.first(where: { _ in true }) else { return }
        let load = Load(port: number)
        _ = load.busy(thumbnails: server.photos.count)  // files are in memory, costs are known
        show("\(server.work), at rest", load.quiet())
        let count = 40 * server.photos.count
        let (latencies, time) = load.busy(thumbnails: count)
        show("\(server.work), busy", latencies, String(Int(Double(count) / (time / .seconds(1)))))
        running.cancel()
        _ = await running.result
    }

    private static func show(_ name: String, _ latencies: Latencies, _ rate: String = "") {
        let numbers = [0.5, 0.99, 1].map { String(format: "%9.2f", latencies.percentile($0)) }
        let count = String(format: "%11d", latencies.count)
        let start = name.padding(toLength: 24, withPad: " ", startingAt: 0)
        print(start, numbers.joined(), count, rate)
    }
}

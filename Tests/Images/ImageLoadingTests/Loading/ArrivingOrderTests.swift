import DeferredLoading
import IdleLoop
import Testing

@testable import ImageLoading

/// Pictures that arrive from servers at the same time.
struct ArrivingOrderTests {
    private final class Server: PictureTransport {
        final class Transfer: PendingOperation {
            func cancel() {}
        }

        private(set) var receivers: [String: (PictureTransportEvent) -> Void] = [:]

        func fetch(
            _ url: String, receive: @escaping (PictureTransportEvent) -> Void
        ) -> any PendingOperation {
            receivers[url] = receive
            return Transfer()
        }

        /// Sends a whole file.
        func send(_ bytes: [UInt8], of url: String) {
            receivers[url]?(.began(length: bytes.count))
            receivers[url]?(.bytes(bytes))
            receivers[url]?(.ended(nil))
        }
    }

    private static let urgencies = [Urgency.visible, .landing, .speculative]

    /// Lets thirty pictures of three urgencies arrive, the least urgent first and the others
    /// `interval` later each; returns the urgencies whose pictures had a turn, in their order.
    private func turns(
        of bytes: [UInt8], workers: Int, interval: Duration
    ) throws -> [Urgency?] {
        let time = VirtualTime()
        let loop = try MainLoop(clock: .virtual(time))
        defer { loop.close() }
        let server = Server()
        var configuration = Pictures.Configuration()
        configuration.workers = workers
        configuration.loading.operations = 30
        let pictures = try Pictures(on: loop, transport: server, configuration: configuration)
        defer { pictures.close() }
        let wanted = (0..<30).map { number in
            Wanted(
                PictureRequest(url: "http://a/\(number)", fitting: PictureBench.targetSize),
                urgency: Self.urgencies[number % 3], rank: number)
        }
        let urgency = Dictionary(uniqueKeysWithValues: wanted.map { ($0.key, $0.urgency) })
        var turns: [Urgency?] = []
        func take(_ request: PictureRequest) {
            if turns.last != urgency[request] { turns.append(urgency[request]) }
        }
        if workers == 0 {
            pictures.source.onStep = { request in
                take(request)
                time.charge(.milliseconds(1))
            }
        }
        pictures.source.onLoaded = { request, _ in take(request) }
        pictures.reconcile(with: wanted)
        try loop.run()
        #expect(server.receivers.count == 30)
        let start = time.now
        for (place, late) in Self.urgencies.reversed().enumerated() {
            loop.schedule(at: start + interval * place) {
                for number in (0..<30).reversed() where Self.urgencies[number % 3] == late {
                    server.send(bytes, of: "http://a/\(number)")
                }
            }
        }
        try loop.run()
        #expect(wanted.allSatisfy { pictures.loader.state(of: $0.key).value != nil })
        #expect(pictures.source.statistics.decodedOnWorkers == (workers == 0 ? 0 : 30))
        #expect(loop.queueStatistics.count == 2)  // that of the loader, and that for the disk
        pictures.loader.checkInvariants()
        return turns
    }

    @Test func `each of thirty pictures is decoded in its turn, however they arrive`() throws {
        let turns = try turns(
            of: PictureBench.jpeg, workers: 0, interval: .milliseconds(10))
        #expect(turns == [.speculative, .landing, .visible, .landing, .speculative])
    }

    @Test func `so are those that a worker decodes`() throws {
        let turns = try turns(
            of: Sample(640, 480).webp(lossless: true),
            workers: 1, interval: .microseconds(250))
        #expect(turns == [.speculative, .landing, .visible, .landing, .speculative])
    }
}

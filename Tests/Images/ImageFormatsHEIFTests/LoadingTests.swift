import DeferredLoading
import Foundation
import IdleLoop
import ImageLoading
import Testing

/// Pictures whose steps are too long for a loop.
struct LoadingTests {
    /// A server that sends a file in pieces.
    private final class Server: PictureTransport, PendingOperation {
        private let loop: MainLoop
        private let file: [UInt8]

        init(_ loop: MainLoop, _ file: [UInt8]) { (self.loop, self.file) = (loop, file) }

        func fetch(
            _ url: String, receive: @escaping (PictureTransportEvent) -> Void
        ) -> any PendingOperation {
            receive(.began(length: file.count))
            let pieces = stride(from: 0, to: file.count, by: 500).map {
                $0..<min($0 + 500, file.count)
            }
            for (number, piece) in pieces.enumerated() {
                loop.schedule(after: .milliseconds(number + 1)) { [self] in
                    receive(.bytes(Array(file[piece])))
                    if piece == pieces.last { receive(.ended(nil)) }
                }
            }
            return self
        }

        func cancel() {}
    }

    private let targetSize = PixelSize(width: 60, height: 60)

    private func load(
        _ request: PictureRequest, _ file: [UInt8], workers: Int
    ) throws -> (state: LoadState<Picture>, statistics: PictureStatistics) {
        let loop = try MainLoop(clock: .virtual(VirtualTime()))
        let pool = workers > 0 ? try WorkerPool(width: workers, on: loop) : nil
        let queue = IdleQueue<PictureRequest>(on: loop)
        let source = PictureSource(
            on: loop, pool: pool, transport: Server(loop, file), decoders: .withHEIF)
        let loader = DeferredLoader(queue: queue, source: source)
        let list = loader.list { _, _ in }
        list.reconcile(with: [Wanted(request, urgency: .visible, rank: 0)])
        try loop.run()
        defer {
            loader.close()
            source.close()
            queue.close()
            loop.close()
        }
        return (loader.state(of: request), source.statistics)
    }

    @Test(arguments: ["plain.heic", "plain.avif"], [true, false])
    func `come from a worker, and are refused without one`(name: String, isRemote: Bool) throws {
        let file = try file(name)
        let request =
            isRemote
            ? PictureRequest(url: "http://a/\(name)", fitting: targetSize)
            : PictureRequest(try place(of: name).path, fitting: targetSize)
        let (state, statistics) = try load(request, file, workers: 1)
        #expect(state.value == (try decode(file, fitting: targetSize)))
        #expect(statistics.decodedOnWorkers == 1 && statistics.decodedInSlices == 0)
        let (refused, none) = try load(request, file, workers: 0)
        guard case .failed(let error as PictureError, _) = refused else {
            Issue.record("\(refused)")
            return
        }
        let format = name.hasSuffix("heic") ? "HEIC" : "AVIF"
        #expect(error.reason == .unsupported("\(format) without a worker"))
        #expect(none.decodedInSlices == 0)
    }
}

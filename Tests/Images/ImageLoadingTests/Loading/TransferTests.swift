import DeferredLoading
import IdleLoop
import Testing

@testable import ImageLoading

/// Transfers whose picture is there, or never will be, before they end.
final class TransferTests {
    /// A server that sends what a test says, and notes which transfers are cancelled.
    private final class Server: PictureTransport {
        final class Transfer: PendingOperation {
            var isCancelled = false
            func cancel() { isCancelled = true }
        }

        private(set) var transfers: [Transfer] = []
        private(set) var receive: ((PictureTransportEvent) -> Void)?

        func fetch(
            _ url: String, receive: @escaping (PictureTransportEvent) -> Void
        ) -> any PendingOperation {
            self.receive = receive
            transfers.append(Transfer())
            return transfers[transfers.count - 1]
        }
    }

    private let loop: MainLoop
    private let server = Server()
    private let pictures: Pictures
    private let request = PictureRequest(url: "http://a/a", fitting: PictureBench.targetSize)

    init() throws {
        loop = try MainLoop(clock: .virtual(VirtualTime()))
        var configuration = Pictures.Configuration()
        configuration.limits.fileBytes = 100_000
        pictures = try Pictures(on: loop, transport: server, configuration: configuration)
    }

    deinit {
        pictures.close()
        loop.close()
    }

    /// Wants the picture, sends the first bytes of a transfer, and says whether that was cancelled.
    private func isCancelled(after bytes: [UInt8], length: Int?) throws -> Bool {
        pictures.reconcile(with: [Wanted(request, urgency: .visible, rank: 0)])
        try loop.run()
        server.receive?(.began(length: length))
        server.receive?(.bytes(bytes))
        try loop.run()
        return server.transfers[0].isCancelled
    }

    private var reason: PictureError.Reason? {
        guard case .failed(let error, _) = pictures.loader.state(of: request) else { return nil }
        return (error as? PictureError)?.reason
    }

    @Test func `one that brings no picture is cancelled`() throws {
        #expect(
            try isCancelled(
                after: Array(String(repeating: "<html>", count: 50).utf8), length: 90_000))
        #expect(reason != nil)
    }

    @Test(arguments: [90_000, 120_000, nil])
    func `one is cancelled when more has come than a file may have, or will`(length: Int?) throws {
        let bytes = [UInt8](repeating: 0xFF, count: length == 120_000 ? 1 : 100_001)
        #expect(try isCancelled(after: bytes, length: length))
        #expect(
            reason == .tooLarge(.bytes, found: max(bytes.count, length ?? 0), limit: 100_000)
                || length == 90_000)
    }

    @Test func `one whose picture is there goes on, unless most is still to come`()
        throws
    {
        let bytes = PictureBench.jpeg
        #expect(try !isCancelled(after: bytes, length: bytes.count))
        #expect(pictures.loader.state(of: request).value != nil)
    }

    @Test func `one of which a thumbnail at its beginning is enough is cancelled`() throws {
        let notes = EXIFSample(orientation: 1, thumbnail: Sample(80, 60).greyJPEG())
        let bytes = Photo(seed: 1, width: 640, height: 480).sample.jpeg()
            .jpegWithEXIF(notes.bytes)
        #expect(try isCancelled(after: Array(bytes.prefix(bytes.count / 3)), length: bytes.count))
        #expect(pictures.loader.state(of: request).value != nil)
    }
}

import DeferredLoading
import IdleLoop
import Synchronization
import Testing

@testable import ImageLoading

/// Transfers whose picture is there, or never will be, before they end.
final class TransferTests {
    private let loop: MainLoop
    private let server = FakeServer()
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
        server.receivers["http://a/a"]?(.began(length: length))
        server.receivers["http://a/a"]?(.bytes(bytes))
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

    @Test func `one is of its server's kind, and of another with a length once it was done`() throws
    {
        let source = pictures.source
        func kind(_ url: String) -> WorkKind? {
            source.kind(of: PictureRequest(url: url, fitting: PictureBench.targetSize))
        }
        #expect(kind("http://a/a") == kind("http://a/b") && kind("http://a/a")?.size == nil)
        #expect(kind("http://a/a") != kind("http://b/a"))
        #expect(source.fetch(request)?.cost == .milliseconds(100))
        pictures.reconcile(with: [Wanted(request, urgency: .visible, rank: 0)])
        try loop.run()
        let bytes = PictureBench.jpeg
        server.send(bytes, of: "http://a/a")
        try loop.run()
        #expect(kind("http://a/a")?.size == bytes.count)
        #expect(kind("http://a/a")?.number != kind("http://a/b")?.number)
        source.byteCount = { _ in 7 }
        #expect(kind("http://a/b")?.size == 7)
    }

    /// A recipe that would have every value stored.
    private struct Kept: PictureRecipe {
        final class Store: PictureStore {
            private let count = Mutex(0)
            var written: Int { count.withLock { $0 } }

            func find(_ key: String, _ stamp: FileStamp?) -> StoredPicture<Picture> { .none }

            func writer(
                of made: MadePicture<Picture>, for key: String
            ) -> (any SteppedWork<Void, any Error>)? {
                count.withLock { $0 += 1 }
                return nil
            }
        }

        let values = Store()
        var store: (any PictureStore<String, Picture>)? { values }
        func name(of key: String) -> String { key }
        func targetSize(of key: String) -> PixelSize { PictureBench.targetSize }
        func size(of value: Picture) -> Int { 0 }
        func make(
            _ picture: Picture, for key: String
        ) -> any SteppedWork<Picture, PictureError.Reason> {
            PictureScaler(picture, fitting: PictureBench.targetSize)
        }
    }

    @Test(arguments: [0, 1])
    func `one's value isn't stored on disk, whoever makes it`(workers: Int) throws {
        let pool = workers > 0 ? try WorkerPool(width: workers, on: loop) : nil
        let source = PicturePipeline(Kept(), on: loop, pool: pool, transport: server) { .url($0) }
        let queue = IdleQueue<String>(on: loop)
        let loader = DeferredLoader(queue: queue, source: source)
        let list = loader.list { _, _ in }
        list.reconcile(with: [Wanted("http://a/b", urgency: .visible, rank: 0)])
        try loop.run()
        let file = Sample(640, 480)
        server.send(workers > 0 ? file.webp(lossless: true) : file.jpeg(), of: "http://a/b")
        try loop.run()
        #expect(loader.state(of: "http://a/b").value != nil)
        #expect(source.statistics.decodedOnWorkers == workers)
        #expect(source.recipe.values.written == 0)
        loader.close()
        queue.close()
    }
}

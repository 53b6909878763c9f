import DeferredLoading
import IdleLoop
import Testing

@testable import ImageLoading

/// The expected durations of transfers and of helpers' work, learned by their kinds.
final class TransferCostTests {
    private final class Nothing: PendingOperation {
        func cancel() {}
    }

    /// Servers that send a picture with a number of zeros behind it, all at once after 20 ms and 1 µs
    /// a byte; one whose name begins with "slow" takes ten times as long.
    private final class Servers: PictureTransport {
        let loop: MainLoop
        /// The number of bytes of a URL.
        var length: (String) -> Int = { _ in 50_000 }

        init(_ loop: MainLoop) { self.loop = loop }

        static func time(of bytes: Int, from url: String) -> Duration {
            .microseconds((20_000 + bytes) * (url.hasPrefix("http://slow") ? 10 : 1))
        }

        func fetch(
            _ url: String, receive: @escaping (PictureTransportEvent) -> Void
        ) -> any PendingOperation {
            let picture = PictureBench.jpeg
            let length = max(picture.count, length(url))
            let bytes = picture + [UInt8](repeating: 0, count: length - picture.count)
            loop.schedule(after: Self.time(of: length, from: url)) {
                receive(.began(length: length))
                receive(.bytes(bytes))
                receive(.ended(nil))
            }
            return Nothing()
        }
    }

    /// A helper that takes 5 ms for each picture.
    private final class Helper: PictureHelper {
        let loop: MainLoop

        init(_ loop: MainLoop) { self.loop = loop }

        func decode(
            _ input: PictureHelperInput, named name: String, fitting targetSize: PixelSize,
            limits: PictureLimits, completion: @escaping (Result<Picture, any Error>) -> Void
        ) -> any PendingOperation {
            let grey = [UInt8](repeating: 255, count: 4 * targetSize.width * targetSize.height)
            loop.schedule(after: .milliseconds(5)) {
                completion(.success(Picture(size: targetSize, pixels: grey)))
            }
            return Nothing()
        }
    }

    private let loop: MainLoop
    private let servers: Servers
    private let source: PictureSource
    private let loader: DeferredLoader<PictureRequest, Picture>
    private let list: LoadList<PictureRequest, Picture>

    init() throws {
        loop = try MainLoop(clock: .virtual(VirtualTime()))
        servers = Servers(loop)
        source = PictureSource(on: loop, transport: servers)
        loader = DeferredLoader(queue: IdleQueue(on: loop), source: source)
        list = loader.list { _, _ in }
    }

    deinit {
        loader.close()
        source.close()
        loop.close()
    }

    private func request(_ url: String) -> PictureRequest {
        PictureRequest(url: url, fitting: PictureBench.targetSize)
    }

    private func load(_ urls: [String]) throws {
        for url in urls {
            list.reconcile(with: [Wanted(request(url), urgency: .visible, rank: 0)])
            try loop.run()
            #expect(loader.state(of: request(url)).value != nil)
        }
    }

    /// Returns what the transfer of a URL is expected to take, in ms.
    private func expected(_ url: String) throws -> Double {
        try expected(request(url), by: loader)
    }

    private func expected(
        _ request: PictureRequest, by loader: DeferredLoader<PictureRequest, Picture>
    ) throws -> Double {
        try #require(loader.facts { _ in request }.fetchHint(ofRow: 0)) / .milliseconds(1)
    }

    @Test func `a transfer is expected to take what its server took, and 100 ms at first`() throws {
        #expect(try expected("http://fast/0") == 100)
        try load((0..<5).map { "http://fast/\($0)" })
        try load((0..<5).map { "http://slow/\($0)" })
        #expect(70..<150 ~= (try expected("http://fast/9")))
        #expect(600..<701 ~= (try expected("http://slow/9")))
        let kinds = ["http://fast/8", "http://fast/9", "http://slow/8"].map {
            source.kind(of: request($0))
        }
        #expect(kinds[0] == kinds[1] && kinds[1] != kinds[2])
    }

    @Test func `a transfer takes the longer the more bytes a listing names`() throws {
        servers.length = { Int($0.split(separator: "/").last ?? "") ?? 0 }
        source.byteCount = { [servers] in servers.length($0.name) }
        try load([10_000, 300_000, 40_000, 160_000, 90_000, 20_000].map { "http://fast/\($0)" })
        let short = try expected("http://fast/15000")
        let long = try expected("http://fast/250000")
        #expect(20..<70 ~= short)
        #expect(220..<300 ~= long)
    }

    @Test func `a picture that was fetched before is expected by the length it had`() throws {
        servers.length = { $0.hasSuffix("big") ? 400_000 : 10_000 }
        try load((0..<4).map { "http://fast/\($0)" } + ["http://fast/big"])
        for url in ["http://fast/big", "http://fast/1"] { loader.invalidate(request(url)) }
        #expect(try expected("http://fast/big") > 4 * expected("http://fast/1"))
        // And still when others were fetched meanwhile.
        try load(["http://fast/1", "http://fast/2"])
        #expect(try expected("http://fast/big") > 4 * expected("http://fast/1"))
    }

    @Test func `a helper is expected to take what it took, and 20 ms at first`() throws {
        let folder = Folder(PictureBench.files)
        let helped = PictureSource(on: loop, decoding: .helper(Helper(loop)), transport: servers)
        let other = DeferredLoader(queue: IdleQueue(on: loop), source: helped)
        let list = other.list { _, _ in }
        func file(_ name: String) -> PictureRequest {
            PictureRequest("\(folder.path)/\(name)", fitting: PictureBench.targetSize)
        }
        #expect(try expected(file("a"), by: other) == 20)
        #expect(try expected(request("http://fast/1"), by: other) == 120)
        for name in ["a", "b"] {
            list.reconcile(with: [Wanted(file(name), urgency: .visible, rank: 0)])
            try loop.run()
            #expect(other.state(of: file(name)).value != nil)
        }
        #expect(try expected(file("c"), by: other) == 5)
        // A picture from a server takes the time of both.
        for number in 1...4 {
            list.reconcile(
                with: [Wanted(request("http://fast/\(number)"), urgency: .visible, rank: 0)])
            try loop.run()
        }
        let both = try expected(request("http://fast/9"), by: other)
        #expect(71..<76 ~= both, "\(both)")
        other.close()
        helped.close()
    }
}

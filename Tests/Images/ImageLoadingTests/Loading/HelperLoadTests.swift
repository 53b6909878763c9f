import DeferredLoading
import Glibc
import IdleLoop
import Testing

@testable import ImageLoading

/// Pictures of strangers, which nothing of this process may decode.
struct HelperLoadTests {
    /// A helper that notes its inputs, and gives a grey picture of that size for each but "bad".
    private final class Helper: PictureHelper {
        private final class Nothing: PendingOperation {
            func cancel() {}
        }

        private(set) var names: [String] = []
        private(set) var targetSizes: [PixelSize] = []
        private let loop: MainLoop

        init(_ loop: MainLoop) { self.loop = loop }

        func decode(
            _ origin: PictureOrigin, named name: String, fitting targetSize: PixelSize,
            limits: PictureLimits, completion: @escaping (Result<Picture, any Error>) -> Void
        ) -> any PendingOperation {
            names.append(name)
            targetSizes.append(targetSize)
            let grey = [UInt8](repeating: 255, count: 4 * targetSize.width * targetSize.height)
            let result: Result<Picture, any Error> =
                name.hasSuffix("bad")
                ? .failure(PictureError(file: name, reason: .empty))
                : .success(Picture(size: targetSize, pixels: grey))
            loop.schedule(after: .milliseconds(1)) { completion(result) }
            return Nothing()
        }
    }

    private let time = VirtualTime()

    @Test(arguments: [0, 1])
    func `a refusal that ends between fetch and load has nothing decoded here`(workers: Int) throws
    {
        let loop = try MainLoop(clock: .virtual(time))
        defer { loop.close() }
        let folder = CacheFolder(PictureBench.files)
        let helper = Helper(loop)
        let pool = workers > 0 ? try WorkerPool(width: workers, on: loop) : nil
        let source = PictureSource(on: loop, pool: pool, decoding: .helper(helper))
        let request = PictureRequest("\(folder.path)/a", fitting: PictureBench.targetSize)
        let error = PictureError(file: request.name, reason: .empty)
        source.failures.record(error, of: request.name, FileStamp(ofFile: request.name), at: .zero)
        #expect(source.fetch(request) == nil)
        #expect(throws: error) { _ = try source.load(request, fetched: nil) }
        time.charge(.seconds(61))
        let again = PictureError(file: request.name, reason: .cannotRead(errno: EAGAIN))
        #expect(throws: again) { _ = try source.load(request, fetched: nil) }
        #expect(source.retry(request, after: again, failures: 1) != .never)
        #expect(source.fetch(request)?.cost == .milliseconds(20))
        #expect(source.statistics.decodedInSlices == 0 && helper.names.isEmpty)
    }

    @Test func `more looks at the disk than there is room for end all the same`() throws {
        let loop = try MainLoop(clock: .virtual(time))
        defer { loop.close() }
        let names = (0..<80).map { "\($0)" }
        let folder = CacheFolder(
            Dictionary(uniqueKeysWithValues: names.map { ($0, PictureBench.png) }))
        let helper = Helper(loop)
        let pool = try WorkerPool(width: 1, on: loop)
        let queue = IdleQueue<PictureRequest>(on: loop)
        let source = PictureSource(on: loop, pool: pool, decoding: .helper(helper))
        var configuration = LoaderConfiguration()
        configuration.operations = 80
        let loader = DeferredLoader(
            queue: queue, source: source, configuration: configuration)
        let list = loader.list { _, _ in }
        let requests = names.map {
            PictureRequest("\(folder.path)/\($0)", fitting: PictureBench.targetSize)
        }
        list.reconcile(with: requests.map { Wanted($0, urgency: .visible, rank: 0) })
        try loop.run()
        #expect(requests.allSatisfy { loader.state(of: $0).value != nil })
        #expect(loop.statistics.jobs.dropped > 0)
        #expect(Set(helper.names) == Set(requests.map(\.name)))
        #expect(source.statistics.decodedInSlices + source.statistics.decodedOnWorkers == 0)
        loader.close()
        queue.close()
    }

    @Test func `loads whose source is closed end`() throws {
        let loop = try MainLoop(clock: .virtual(time))
        defer { loop.close() }
        let (folder, helper) = (CacheFolder(PictureBench.files), Helper(loop))
        let pool = try WorkerPool(width: 1, on: loop)
        let source = PictureSource(on: loop, pool: pool, decoding: .helper(helper))
        loop.schedule(after: .zero) { source.close() }
        let requests = ["a", "b"].map {
            PictureRequest("\(folder.path)/\($0)", fitting: PictureBench.targetSize)
        }
        for state in try load(requests, from: source, on: loop, pool) {
            guard case .failed = state else {
                Issue.record("a load is \(state)")
                continue
            }
        }
    }

    /// Pictures of which nothing can be made.
    private struct Refusal: PictureRecipe {
        func name(of key: String) -> String { key }
        func targetSize(of key: String) -> PixelSize { PictureBench.targetSize }
        func size(of value: Picture) -> Int { 0 }
        func make(
            _ picture: Picture, for key: String
        ) throws(PictureError.Reason) -> any SteppedWork<Picture, PictureError.Reason> {
            throw .corrupt("refused")
        }
    }

    @Test func `a helper's picture of which nothing can be made fails with its name, once`() throws
    {
        let loop = try MainLoop(clock: .virtual(time))
        defer { loop.close() }
        let (folder, helper) = (CacheFolder(PictureBench.files), Helper(loop))
        let source = PicturePipeline(
            Refusal(), on: loop, decoding: .helper(helper)
        ) { .file("\(folder.path)/\($0)") }
        let queue = IdleQueue<String>(on: loop)
        let loader = DeferredLoader(queue: queue, source: source)
        let list = loader.list { _, _ in }
        let error = PictureError(file: "a", reason: .corrupt("refused"))
        for _ in 0..<3 {
            list.reconcile(with: [Wanted("a", urgency: .visible, rank: 0)])
            try loop.run()
            guard case .failed(let found, _) = loader.state(of: "a") else { break }
            #expect(found as? PictureError == error)
            loader.invalidate("a")
        }
        #expect(helper.names == ["a"])
        loader.close()
        queue.close()
    }

    /// Loads requests to the end, and says what came of them.
    private func load(
        _ requests: [PictureRequest], from source: PictureSource, on loop: MainLoop,
        _ pool: WorkerPool? = nil
    ) throws -> [LoadState<Picture>] {
        let queue = IdleQueue<PictureRequest>(on: loop)
        let loader = DeferredLoader(queue: queue, pool: pool, source: source)
        let list = loader.list { _, _ in }
        list.reconcile(with: requests.map { Wanted($0, urgency: .visible, rank: 0) })
        try loop.run()
        defer {
            loader.close()
            queue.close()
        }
        return requests.map { loader.state(of: $0) }
    }

    @Test func `what a helper can't decode is refused until the file changes`() throws {
        let loop = try MainLoop(clock: .virtual(time))
        defer { loop.close() }
        let (folder, helper, store) = (CacheFolder(["bad": [1]]), Helper(loop), FakeStore())
        let source = PictureSource(on: loop, store: store, decoding: .helper(helper))
        let request = PictureRequest("\(folder.path)/bad", fitting: PictureBench.targetSize)
        for _ in 0..<3 { #expect(try load([request], from: source, on: loop)[0].value == nil) }
        #expect(helper.names.count == 1 && store.failed == [request.name])
        folder.write("bad", [2], at: 1_500_000_000)
        #expect(try load([request], from: source, on: loop)[0].value == nil)
        #expect(helper.names.count == 2)
    }
}

import DeferredLoading
import IdleLoop
import Testing

@testable import ImageLoading

struct PictureMemoryTests {
    @Test func `memory is given back in a lull, once`() throws {
        let bench = try PictureBench()
        for _ in 0..<2 { bench.pictures.trim() }
        try bench.run()
        #expect(bench.loop.statistics.jobs.done == 1)
    }

    @Test func `a progressive picture out of view takes no memory from others`() throws {
        let large = Sample(900, 700).jpeg(progressive: true)
        let bench = try PictureBench(files: PictureBench.files.merging(["large": large]) { $1 }) {
            $0.workers = 0
            $0.loading.byteLimit = 2 << 20
        }
        var most = 0
        bench.source.onLoaded = { _, _ in most = max(most, bench.pictures.loader.byteCount) }
        bench.want(["a", "b"], .near)
        try bench.run()
        bench.want(["large", "a", "b", "c", "d"], .near)
        try bench.run()
        #expect(bench.pictures.loader.count == 4)
        #expect(bench.pictures.loader.state(of: bench.request("large")).value == nil)
        #expect(bench.done.decodedInSlices == 4)  // none was evicted
        #expect(most <= 2 << 20)
        bench.pictures.subscribe(to: bench.request("large"))
        bench.want(["large"])
        try bench.run()
        #expect(bench.shown[bench.request("large")] == (try PictureBench.whole(large)))
    }

    @Test func `on the machine's clock a loop at rest sleeps`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        let folder = CacheFolder(PictureBench.files)
        var shown = 0
        let pictures = try Pictures(on: loop) { _, _ in
            shown += 1
            if shown == 2 { loop.stop() }
        }
        let requests = ["a", "b"].map {
            PictureRequest("\(folder.path)/\($0)", fitting: PictureBench.targetSize)
        }
        for request in requests { pictures.subscribe(to: request) }
        pictures.reconcile(
            with: requests.enumerated().map { Wanted($1, urgency: .visible, rank: $0) })
        try loop.run()
        // Whatever is left to do has its lull, however slow the machine is; then there is nothing but
        // the test's timer.
        var isAtRest = false
        for _ in 0..<200 where !isAtRest {
            let before = loop.statistics
            loop.schedule(after: .milliseconds(10)) { loop.stop() }
            try loop.run()
            isAtRest =
                loop.statistics.jobs == before.jobs
                && loop.statistics.dispatched <= before.dispatched + 1
        }
        #expect(isAtRest)
        pictures.close()
    }
}

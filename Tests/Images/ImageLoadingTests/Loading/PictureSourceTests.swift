import DeferredLoading
import Glibc
import IdleLoop
import Testing

@testable import ImageLoading

struct PictureSourceTests {
    // MARK: - Loading

    @Test(arguments: [100, 300, 1900, 5000])
    func `what is wanted is decoded in slices of its time and a first step, and shown`(
        microseconds: Int
    ) throws {
        let bench = try PictureBench()
        bench.stepCost = .microseconds(microseconds)
        for name in ["a", "b"] { bench.pictures.subscribe(to: bench.request(name)) }
        bench.want(["a", "b"])
        try bench.run()
        #expect(
            bench.shown == [
                bench.request("a"): try PictureBench.whole(PictureBench.jpeg),
                bench.request("b"): try PictureBench.whole(PictureBench.png),
            ])
        let jobs = bench.loop.statistics.jobs
        #expect(jobs.longestJob <= max(.milliseconds(2), bench.stepCost * 2))
        #expect(jobs.slices >= (microseconds > 100 ? 3 : 2))
        #expect(bench.done.decodedInSlices == 2)
    }

    @Test func `what is measured corrects what is expected`() throws {
        let bench = try PictureBench()
        let header = PictureHeader(
            format: .png, size: PixelSize(width: 2000, height: 2000),
            fileBytes: 9_000_000, channels: 3, bytesPerSample: 1)
        let before = bench.source.history.costs.estimate(header, fitting: PictureBench.targetSize)
        bench.stepCost = .milliseconds(1)
        bench.want(["b"])
        try bench.run()
        #expect(
            bench.source.history.costs.estimate(header, fitting: PictureBench.targetSize) > before
                * 2)
    }

    // MARK: - Workers

    /// Has the loader take JPEGs for so expensive that they go to a worker while a list moves.
    private func makeDear(_ bench: PictureBench) throws {
        let header = PictureHeader(
            format: .jpeg, size: PixelSize(width: 300, height: 200),
            fileBytes: 1_000_000, channels: 3, bytesPerSample: 1)
        let cheap = PictureHeader(
            format: .png, size: PixelSize(width: 200, height: 300),
            fileBytes: 100_000, channels: 3, bytesPerSample: 1)
        let size = PictureBench.targetSize
        for _ in 0..<20 {
            bench.source.history.costs.learn(.seconds(8), of: header, fitting: size)
            bench.source.history.costs.learn(
                cheap.estimatedTime(fitting: size), of: cheap, fitting: size)
        }
        let small = try PictureHeader.read(.file(bench.request("a").name))
        try #require(
            bench.source.history.costs.bound(small, fitting: size)
                > .milliseconds(100))
    }

    @Test func `what is too long for a busy loop is decoded on a worker, and looks the same`()
        throws
    {
        let bench = try PictureBench()
        try makeDear(bench)
        bench.loop.mode = .tracking
        bench.pictures.subscribe(to: bench.request("a"))
        bench.want(["a", "b"])
        try bench.run()
        #expect(bench.done.decodedOnWorkers == 1 && bench.done.decodedInSlices == 1)
        #expect(bench.shown[bench.request("a")] == (try PictureBench.whole(PictureBench.jpeg)))
        // The worker's time is that which was expected, the loop's is next to nothing.
        bench.pictures.loader.invalidate(bench.request("a"))
        try bench.run()
        #expect(bench.done.decodedOnWorkers == 2)
        #expect(bench.time.now > .zero.advanced(by: .milliseconds(100)))
        #expect(bench.begun.allSatisfy { $0.name.hasSuffix("b") })
        #expect(bench.pictures.loader.state(of: bench.request("a")).value != nil)
    }

    @Test func `with no workers, or on a loop at rest, it is decoded in slices`() throws {
        for workers in [0, 1] {
            let bench = try PictureBench { $0.workers = workers }
            try makeDear(bench)
            if workers == 0 { bench.loop.mode = .tracking }
            bench.want(["a"])
            try bench.run()
            #expect(bench.done.decodedOnWorkers == 0 && bench.done.decodedInSlices == 1)
        }
    }
}

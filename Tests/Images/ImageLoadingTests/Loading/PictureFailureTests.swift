import DeferredLoading
import Glibc
import IdleLoop
import Testing

@testable import ImageLoading

struct PictureFailureTests {
    @Test func `what isn't there fails at once, and is there when somebody asks anew`() throws {
        let bench = try PictureBench(files: [:])
        bench.want(["a"])
        try bench.run()
        #expect(bench.error("a") == .cannotOpen(errno: ENOENT))
        #expect(bench.loop.statistics.timersFired == 0)
        bench.folder.write("a", PictureBench.jpeg)
        #expect(bench.pictures.loader.retry(bench.request("a")))
        try bench.run()
        #expect(bench.done.decodedInSlices == 1)
    }

    @Test func `what is no picture is tried once, until the file changes`() throws {
        let bench = try PictureBench(files: ["a": Array("no picture at all".utf8)])
        for _ in 0..<4 {
            bench.want(["a"])
            try bench.run()
            #expect(bench.error("a") == .unsupported("starts with \"no picture at al\""))
            bench.pictures.loader.invalidate(bench.request("a"))
        }
        try bench.run()
        #expect(bench.done.failed == 1 && bench.done.refused == 4)
        bench.folder.write("a", PictureBench.jpeg)
        bench.pictures.loader.invalidate(bench.request("a"))
        try bench.run()
        #expect(bench.done.decodedInSlices == 1 && bench.source.failures.count == 0)
    }

    @Test func `what may pass is tried again, but not for ever`() throws {
        let bench = try PictureBench()
        let path = bench.request("a").name
        var steps = 0
        bench.source.onStep = { _ in
            steps += 1
            CacheFolder.date(path, 2_000_000_000 + steps)
        }
        bench.want(["a"])
        try bench.run()
        #expect(bench.error("a") == .changedWhileRead)
        #expect(bench.done.failed == 5 && bench.done.refused == 0)
        #expect(bench.time.now > .zero.advanced(by: .seconds(1)))
    }

    @Test func `a file that changed while it was read is tried again`() throws {
        var damaged = PictureBench.png
        damaged.removeLast(damaged.count / 2)
        let bench = try PictureBench(files: ["a": damaged])
        var steps = 0
        let path = bench.request("a").name
        bench.source.onStep = { _ in
            steps += 1
            if steps == 3 { CacheFolder.date(path, 2_000_000_000) }
        }
        bench.loop.schedule(after: .microseconds(1)) {
            bench.folder.write("a", PictureBench.png, at: 2_100_000_000)
        }
        bench.want(["a"])
        try bench.run()
        #expect(bench.pictures.loader.state(of: bench.request("a")).value != nil)
    }

    @Test func `only a file's own fault is noted on disk, where programs with other limits look`()
        throws
    {
        let store = FakeStore()
        let files = ["empty": [], "text": Array("<html>".utf8), "large": PictureBench.jpeg]
        let bench = try PictureBench(files: files, store: store) { $0.limits.pixels = 100 }
        bench.want(["empty", "text", "large", "none"])
        try bench.run()
        #expect(bench.done.failed == 4 && store.failed == [bench.request("empty").name])
    }
}

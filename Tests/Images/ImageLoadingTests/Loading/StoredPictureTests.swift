import DeferredLoading
import Glibc
import IdleLoop
import Testing

@testable import ImageLoading

struct StoredPictureTests {
    @Test func `what was decoded is stored later, larger than it's shown`() throws {
        let store = FakeStore()
        let bench = try PictureBench(store: store)
        bench.want(["a"])
        try bench.run()
        let path = bench.request("a").name
        #expect(
            store.written[path] == (try PictureBench.whole(PictureBench.jpeg, store.targetSize)))
        let shown = bench.pictures.loader.state(of: bench.request("a")).value
        #expect(shown?.size == PixelSize(width: 60, height: 40))
        let quarters = zip(
            shown?.quarters ?? [], try PictureBench.whole(PictureBench.jpeg).quarters)
        let off = quarters.flatMap { first, second in (0..<4).map { abs(first[$0] - second[$0]) } }
        #expect(off.count == 16 && off.allSatisfy { $0 <= 3 })
    }

    @Test func `what was stored is decoded in place of the file`() throws {
        let store = FakeStore()
        let bench = try PictureBench(
            files: ["a": PictureBench.jpeg, "small": PictureBench.png], store: store)
        store.has(.file(bench.request("small").name), of: bench.request("a").name)
        bench.want(["a"])
        try bench.run()
        let shown = bench.pictures.loader.state(of: bench.request("a")).value
        #expect(shown == (try PictureBench.whole(PictureBench.png)))
        #expect(bench.done.foundInStore == 1)
        #expect(store.written.isEmpty)
    }

    @Test func `what was stored and is damaged is no loss`() throws {
        let store = FakeStore()
        let bench = try PictureBench(
            files: ["a": PictureBench.jpeg, "small": [1, 2, 3]], store: store)
        store.has(.file(bench.request("small").name), of: bench.request("a").name)
        bench.want(["a"])
        try bench.run()
        #expect(bench.done.decodedOnLoop == 1 && bench.done.foundInStore == 0)
        #expect(bench.pictures.loader.state(of: bench.request("a")).value != nil)
    }

    @Test func `what is stored as a failure isn't tried, and failures are stored`() throws {
        let store = FakeStore()
        let bench = try PictureBench(
            files: ["a": PictureBench.jpeg, "x": []], store: store)
        store.has(.failed, of: bench.request("a").name)
        bench.want(["a", "x"])
        try bench.run()
        #expect(bench.error("a") == .corrupt("known to give no picture"))
        #expect(store.failed == [bench.request("x").name])
        #expect(bench.begun.isEmpty)
    }

    @Test func `a picture that a thumbnail in its file stands for is had from there, not stored`()
        throws
    {
        let store = FakeStore()
        let thumbnail = Sample(80, 60).greyJPEG()
        let notes = EXIFSample(orientation: 1, thumbnail: thumbnail)
        let bytes = Sample(200, 150).jpeg().jpegWithEXIF(notes.bytes)
        let bench = try PictureBench(files: ["a": bytes], store: store)
        bench.want(["a"])
        try bench.run()
        let shown = bench.pictures.loader.state(of: bench.request("a")).value
        #expect(shown == (try PictureBench.whole(thumbnail)))
        #expect(store.written.isEmpty && bench.done.decodedOnWorkers == 1)
    }

    @Test func `a disk that is full costs nobody a picture`() throws {
        let store = FakeStore()
        store.fill()
        let bench = try PictureBench(store: store)
        bench.want(["a", "b"])
        try bench.run()
        #expect(bench.done.decodedOnLoop == 2 && bench.loop.statistics.jobs.failed == 2)
        #expect(bench.pictures.loader.count == 2)
    }

    @Test func `a loader that is let go of takes all its work back`() throws {
        let store = FakeStore()
        let bench = try PictureBench(store: store)
        bench.want(["a", "b"])
        _ = bench.source.cost(of: bench.request("c"))
        bench.release()
        try bench.loop.run()
        #expect(bench.begun.isEmpty && bench.shown.isEmpty)
        #expect(bench.loop.statistics.jobs.waiting == 0)
    }
}

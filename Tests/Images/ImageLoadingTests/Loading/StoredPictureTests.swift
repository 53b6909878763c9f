import DeferredLoading
import Glibc
import IdleLoop
import Testing

@testable import ImageLoading

struct StoredPictureTests {
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

    @Test(arguments: [0, 1])
    func `what is damaged is shown, counted and reported, and not stored`(workers: Int) throws {
        let store = FakeStore()
        let cut = Array(PictureBench.jpeg.dropLast(PictureBench.jpeg.count / 4))
        let bench = try PictureBench(
            files: ["a": PictureBench.jpeg, "cut": cut], store: store
        ) { $0.workers = workers }
        var reported: [String] = []
        bench.source.onDamaged = { request, error in
            #expect(request.name == error.file)
            reported.append("\(error)")
        }
        bench.want(["a", "cut"])
        try bench.run()
        let shown = try #require(bench.pictures.loader.state(of: bench.request("cut")).value)
        #expect(shown.isDamaged && shown[30, 39] == .zero && shown[30, 5][3] == 255)
        #expect(bench.done.damaged == 1 && bench.done.failed == 0)
        #expect(reported.count == 1)
        #expect(reported.allSatisfy { $0.contains("/cut: truncated: ") })
        #expect(Set(store.written.keys) == [bench.request("a").name] && store.failed.isEmpty)
    }

    @Test(arguments: [[1, 2, 3], Array(PictureBench.png.dropLast(4000))] as [[UInt8]])
    func `what was stored and is damaged is no loss`(stored: [UInt8]) throws {
        let store = FakeStore()
        let bench = try PictureBench(
            files: ["a": PictureBench.jpeg, "small": stored], store: store)
        store.has(.file(bench.request("small").name), of: bench.request("a").name)
        bench.want(["a"])
        try bench.run()
        #expect(bench.done.decodedInSlices == 1 && bench.done.foundInStore == 0)
        let shown = bench.pictures.loader.state(of: bench.request("a")).value
        #expect(shown?.size == PixelSize(width: 60, height: 40) && shown?.isDamaged == false)
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
        #expect(bench.done.decodedInSlices == 2 && bench.loop.statistics.jobs.failed == 2)
        #expect(bench.pictures.loader.count == 2)
    }
}

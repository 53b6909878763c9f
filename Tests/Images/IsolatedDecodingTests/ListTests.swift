import DeferredLoading
import Glibc
import IdleLoop
import ImageLoading
import IsolatedDecoding
import Testing

@Suite struct `A list of strangers' pictures` {
    @Test func `has each from a helper, and is without one only where it is damaged`() throws {
        let bench = try Bench()
        let folder = try TemporaryFolder()
        let targetSize = PixelSize(width: 20, height: 20)
        let good = try folder.file("good.jpg", Sample.jpeg(64, 48))
        let bad = try folder.file("bad.jpg", Array(Sample.jpeg(64, 48).prefix(300)))
        let other = try folder.file("other.png", Sample.png(30, 40))
        let files = [good, bad, other, "/nowhere/none.png"]
        let requests = files.map { PictureRequest($0, fitting: targetSize) }
        let queue = IdleQueue<PictureRequest>(on: bench.loop)
        var shown: [PictureRequest: Picture] = [:]
        let loader = DeferredLoader(
            queue: queue, source: PictureSource(on: bench.loop, decoding: .helper(bench.decoder)))
        let list = loader.list { shown[$0] = $1.shown }
        defer {
            loader.close()
            queue.close()
        }
        for request in requests { list.subscribe(to: request) }
        list.reconcile(
            with: requests.enumerated().map { Wanted($1, urgency: .visible, rank: $0) })
        try bench.run { requests.allSatisfy { loader.state(of: $0).isSettled } }
        #expect(
            shown == [
                requests[0]: try here(Sample.jpeg(64, 48), fitting: targetSize).get(),
                requests[2]: try here(Sample.png(30, 40), fitting: targetSize).get(),
            ])
        #expect(bench.decoder.statistics.started == 1)
    }

    @Test func `takes back what has left the screen before a helper was free`() throws {
        let bench = try Bench()
        let folder = try TemporaryFolder()
        let path = try folder.file("a.png", Sample.png(30, 40))
        let requests = (1...6).map {
            PictureRequest(path, fitting: PixelSize(width: $0, height: $0))
        }
        let queue = IdleQueue<PictureRequest>(on: bench.loop)
        let loader = DeferredLoader(
            queue: queue, source: PictureSource(on: bench.loop, decoding: .helper(bench.decoder)))
        let list = loader.list { _, _ in }
        defer {
            loader.close()
            queue.close()
        }
        // The helper holds still over the first, with the others in line.
        let helper = try bench.ready()
        stop(helper)
        list.reconcile(with: requests.map { Wanted($0, urgency: .near, rank: 0) })
        try bench.run { requests.allSatisfy { loader.progress(of: $0) != .none } }
        list.reconcile(with: [Wanted(requests[5], urgency: .visible, rank: 0)])
        kill(helper, SIGCONT)
        try bench.run { loader.state(of: requests[5]).isSettled }
        #expect(loader.state(of: requests[5]).value?.size == PixelSize(width: 5, height: 6))
        #expect(bench.decoder.statistics.pictures <= 3)
    }
}

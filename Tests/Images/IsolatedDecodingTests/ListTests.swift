import DeferredLoading
import Glibc
import IdleLoop
import ImageLoading
import IsolatedDecoding
import TestSupport
import Testing

@Suite struct `A list of strangers' pictures` {
    @Test func `takes back what has left the screen before a helper was free`() throws {
        let bench = try Bench()
        let folder = try Folder()
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

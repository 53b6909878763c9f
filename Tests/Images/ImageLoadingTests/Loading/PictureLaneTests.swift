import DeferredLoading
import IdleLoop
import Testing

@testable import ImageLoading

struct PictureLaneTests {
    @Test(arguments: [0, 1])
    func `pictures are decoded on all lanes at once, and shown on the loop`(workers: Int) throws {
        var took: [Duration] = []
        for lanes in [1, 4] {
            let bench = try PictureBench {
                $0.workers = workers
                $0.queue.lanes = .atMost(lanes)
            }
            bench.stepCost = .milliseconds(1)
            for name in ["a", "b", "c", "d"] { bench.pictures.subscribe(to: bench.request(name)) }
            bench.want(["a", "b", "c", "d"])
            try bench.run()
            for (name, bytes) in PictureBench.files {
                #expect(bench.shown[bench.request(name)] == (try PictureBench.whole(bytes)))
            }
            #expect(bench.done.decodedInSlices == 4)
            took.append(bench.time.now - .zero)
        }
        #expect(took[1] * 2 < took[0])
    }

    @Test(arguments: [0, 2])
    func `threads decode pictures, of which some are given up`(workers: Int) throws {
        let loop = try MainLoop()
        let folder = CacheFolder(PictureBench.files)
        var configuration = Pictures.Configuration()
        configuration.workers = workers
        configuration.queue.lanes = .atMost(4)
        var shown: [PictureRequest: Picture] = [:]
        var isDone: () -> Bool = { false }
        let pictures = try Pictures(on: loop, configuration: configuration) { request, state in
            shown[request] = state.value
            if isDone() { loop.stop() }
        }
        let requests = (0..<40).map { number in
            PictureRequest(
                "\(folder.path)/\(["a", "b", "c", "d"][number % 4])",
                fitting: PixelSize(width: 20 + number, height: 60))
        }
        let kept = requests.enumerated().filter { $0.offset % 3 > 0 }.map(\.element)
        isDone = { kept.allSatisfy { shown[$0] != nil } }
        for request in kept { pictures.subscribe(to: request) }
        pictures.reconcile(
            with: requests.enumerated().map { Wanted($1, urgency: .visible, rank: $0) })
        loop.schedule(after: .milliseconds(1)) {
            pictures.reconcile(
                with: kept.enumerated().map { Wanted($1, urgency: .visible, rank: $0) })
        }
        try loop.run()
        for (number, request) in requests.enumerated() where number % 3 > 0 {
            let bytes = number % 2 == 0 ? PictureBench.jpeg : PictureBench.png
            #expect(shown[request] == (try PictureBench.whole(bytes, request.targetSize)))
        }
        pictures.loader.checkInvariants()
        pictures.close()
    }
}

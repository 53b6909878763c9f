import DeferredLoading
import Glibc
import IdleLoop
import Testing

@testable import ImageLoading

struct PictureMemoryTests {
    // MARK: - Memory

    @Test func `a picture in memory is shown as soon as it's subscribed to`() throws {
        let bench = try PictureBench()
        bench.want(["a"])
        try bench.run()
        bench.pictures.subscribe(to: bench.request("a"))
        try bench.run()
        #expect(bench.shown == [bench.request("a"): try PictureBench.whole(PictureBench.jpeg)])
        #expect(bench.done.decodedOnLoop == 1)
    }

    @Test func `what is subscribed to is pinned, once, until it no longer is`() throws {
        let bench = try PictureBench()
        bench.want(["a", "b"])
        try bench.run()
        for name in ["a", "a", "b"] { bench.pictures.subscribe(to: bench.request(name)) }
        bench.want([])
        bench.pictures.trim()
        #expect(bench.pictures.loader.count == 2)
        bench.pictures.unsubscribe(from: bench.request("a"))
        bench.pictures.trim()
        #expect(bench.pictures.loader.count == 1)
    }

    @Test func `what waits to be kept on disk is let go of with the rest`() throws {
        let store = FakeStore()
        let bench = try PictureBench(store: store)
        bench.source.onLoaded = { _, _ in bench.pictures.trim() }
        bench.want(["a"])
        try bench.run()
        #expect(bench.done.decodedOnLoop == 1 && store.written.isEmpty)
    }

    @Test func `a progressive picture out of view takes no memory from others`() throws {
        let large = Sample(900, 700).jpeg(progressive: true)
        let bench = try PictureBench(files: PictureBench.files.merging(["large": large]) { $1 }) {
            $0.workers = 0
            $0.loading.byteLimit = 2 << 20
        }
        var most = 0
        bench.source.onLoaded = { _, _ in most = max(most, bench.pictures.loader.bytes) }
        bench.want(["a", "b"], .near)
        try bench.run()
        bench.want(["large", "a", "b", "c", "d"], .near)
        try bench.run()
        #expect(bench.pictures.loader.count == 4)
        #expect(bench.pictures.loader.state(of: bench.request("large")).value == nil)
        #expect(bench.done.decodedOnLoop == 4)  // none was evicted
        #expect(most <= 2 << 20)
        bench.pictures.subscribe(to: bench.request("large"))
        bench.want(["large"])
        try bench.run()
        #expect(bench.shown[bench.request("large")] == (try PictureBench.whole(large)))
    }

    // MARK: - Pressure

    private final class Pressure {
        let folder = Folder()

        init() {
            unsafe mkdir("\(folder.path)/proc", 0o700)
            unsafe mkdir("\(folder.path)/proc/pressure", 0o700)
            say(0)
        }

        deinit {
            unsafe unlink("\(folder.path)/proc/pressure/memory")
            unsafe rmdir("\(folder.path)/proc/pressure")
            unsafe rmdir("\(folder.path)/proc")
        }

        func say(_ share: Int) {
            folder.write(
                Array("some avg10=\(share).00 avg60=0.00\n".utf8), to: "proc/pressure/memory")
        }

        var configuration: MemoryPressureConfiguration {
            var configuration = MemoryPressureConfiguration()
            configuration.watch = nil
            configuration.root = folder.path
            return configuration
        }
    }

    @Test func `under pressure only what is shown stays, and only what matters is loaded`() throws {
        let pressure = Pressure()
        let bench = try PictureBench { $0.pressure = pressure.configuration }
        bench.pictures.subscribe(to: bench.request("a"))
        bench.want(["a", "b"])
        try bench.run(until: 1000)
        #expect(bench.pictures.loader.count == 2)
        bench.want(["a"])
        pressure.say(50)
        let freed = bench.loop.statistics.jobs.done
        try bench.run(until: 10_500)
        #expect(bench.pictures.loader.count == 1)
        #expect(bench.pictures.isSaving)
        #expect(bench.loop.statistics.jobs.done == freed + 1)  // memory was given back
        bench.pictures.reconcile(with: [
            Wanted(bench.request("a"), urgency: .visible, rank: 0),
            Wanted(bench.request("c"), urgency: .landing, rank: 0),
            Wanted(bench.request("d"), urgency: .near, rank: 0),
        ])
        pressure.say(0)
        try bench.run(until: 19_000)
        #expect(bench.pictures.loader.state(of: bench.request("c")).value != nil)
        #expect(bench.pictures.loader.state(of: bench.request("d")).value == nil)
        try bench.run(until: 21_000)
        #expect(!bench.pictures.isSaving)
        #expect(bench.pictures.loader.state(of: bench.request("d")).value != nil)
    }

    @Test func `a loop at rest stays asleep, and looks at figures only while there is something`()
        throws
    {
        let pressure = Pressure()
        let bench = try PictureBench { $0.pressure = pressure.configuration }
        try bench.run()
        #expect(bench.loop.statistics.sleeps == 0 && bench.loop.statistics.timersFired == 0)
        bench.want(["a"])
        try bench.run(until: 35_000)
        #expect(bench.loop.statistics.timersFired == 4)  // at 10, 20 and 30 s, and this run's end
        bench.want([])
        pressure.say(99)
        try bench.run(until: 60_000)
        let fired = bench.loop.statistics.timersFired
        let passes = bench.loop.statistics.idlePasses
        try bench.run(until: 3_600_000)
        #expect(bench.loop.statistics.timersFired == fired + 1)
        #expect(bench.loop.statistics.idlePasses <= passes + 3)
    }

    @Test func `on the machine's clock a loop at rest sleeps, too`() throws {
        let loop = try MainLoop()
        defer { loop.close() }
        let folder = Folder(PictureBench.files)
        var shown = 0
        let pictures = try PictureLoader(on: loop) { _, _ in
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
        #expect(pictures.source.costs.slowness != 1)
        // Whatever is left to do has its lull, however slow the machine is; then there is nothing but
        // the test's timer.
        var isAtRest = false
        for _ in 0..<200 where !isAtRest {
            let before = (loop.statistics, pictures.pressure?.events ?? 0)
            loop.schedule(after: .milliseconds(10)) { loop.stop() }
            try loop.run()
            let told = (pictures.pressure?.events ?? 0) - before.1
            isAtRest =
                loop.statistics.jobs == before.0.jobs
                && loop.statistics.dispatched <= before.0.dispatched + 1 + told
        }
        #expect(isAtRest)
        pictures.close()
    }
}

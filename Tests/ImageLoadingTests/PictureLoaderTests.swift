import DeferredLoading
import Glibc
import IdleLoop
import Testing

@testable import ImageLoading

struct PictureLoaderTests {
    private static let jpeg = Sample(300, 200).jpeg()
    private static let png = Sample(200, 300).rgbPNG()
    private static let files = ["a": jpeg, "b": png, "c": jpeg, "d": png]

    private func bench(
        _ files: [String: [UInt8]] = files, store: (any ThumbnailStore)? = nil,
        _ change: (inout PictureLoaderConfiguration) -> Void = { _ in }
    ) throws -> PictureBench {
        try PictureBench(files: files, store: store, change)
    }

    private func whole(_ bytes: [UInt8], _ box: PixelSize = PictureBench.box) throws -> Picture {
        try PictureJob(bytes: bytes, named: "", fitting: box).decode()
    }

    // MARK: - Loading

    @Test func `what is wanted is decoded in slices, and shown`() throws {
        let bench = try bench()
        bench.stepCost = .microseconds(300)
        let (first, second) = (bench.request("a"), bench.request("b"))
        for request in [first, second] { bench.pictures.subscribe(to: request) }
        bench.want(["a", "b"])
        try bench.run()
        #expect(bench.shown == [first: try whole(Self.jpeg), second: try whole(Self.png)])
        let jobs = bench.loop.statistics.jobs
        #expect(jobs.slices > 4)
        #expect(jobs.longestJob <= .milliseconds(2))
        #expect(bench.done.decodedOnLoop == 2)
    }

    @Test(arguments: [100, 300, 700, 1900, 5000])
    func `no slice is longer than its time and a first step`(microseconds: Int) throws {
        let bench = try bench()
        bench.stepCost = .microseconds(microseconds)
        bench.want(["a", "b"])
        try bench.run()
        let longest = max(Duration.milliseconds(2), bench.stepCost * 2)
        #expect(bench.loop.statistics.jobs.longestJob <= longest)
        #expect(bench.done.decodedOnLoop == 2)
    }

    @Test func `one picture that several ask for is decoded once, as urgently as any wants it`()
        throws
    {
        let bench = try bench()
        var shown = 0
        let others = (0..<3).map { number in
            bench.pictures.loader.list(named: "\(number)") { _, _ in shown += 1 }
        }
        bench.pictures.subscribe(to: bench.request("a"))
        for other in others { other.subscribe(to: bench.request("a")) }
        bench.want(["c", "b", "a"], .speculative)
        others[0].reconcile(with: [Wanted(bench.request("a"), urgency: .visible, rank: 0)])
        try bench.run()
        #expect(bench.begun.map { $0.name.suffix(1) } == ["a", "c", "b"])
        #expect(bench.shown.count == 1 && shown == 3)
        #expect(bench.done.decodedOnLoop == 3)
    }

    @Test func `what is measured corrects what is expected`() throws {
        let bench = try bench()
        let header = PictureHeader(
            format: .png, size: PixelSize(width: 2000, height: 2000),
            fileBytes: 9_000_000, channels: 3, bytesPerSample: 1)
        let before = bench.source.costs.estimate(header, fitting: PictureBench.box)
        bench.stepCost = .milliseconds(1)
        bench.want(["b"])
        try bench.run()
        #expect(bench.source.costs.estimate(header, fitting: PictureBench.box) > before * 2)
    }

    // MARK: - Workers

    /// Has the loader take JPEGs for so expensive that they go to a worker while a list moves.
    private func makeDear(_ bench: PictureBench) throws {
        let header = PictureHeader(
            format: .jpeg, size: PixelSize(width: 300, height: 200),
            fileBytes: 1_000_000, channels: 3, bytesPerSample: 1)
        for _ in 0..<8 {
            bench.source.costs.learn(header, fitting: PictureBench.box, cost: .seconds(100))
        }
        let small = try PictureHeader.read(bench.request("a").name)
        try #require(
            bench.source.costs.bound(small, fitting: PictureBench.box) > .milliseconds(100))
    }

    @Test func `what is too long for a busy loop is decoded on a worker, and looks the same`()
        throws
    {
        let bench = try bench()
        try makeDear(bench)
        bench.loop.mode = .tracking
        bench.pictures.subscribe(to: bench.request("a"))
        bench.want(["a", "b"])
        try bench.run()
        #expect(bench.done.decodedOnWorkers == 1 && bench.done.decodedOnLoop == 1)
        #expect(bench.shown[bench.request("a")] == (try whole(Self.jpeg)))
        // The worker's time is that which was expected, the loop's is next to nothing.
        bench.pictures.invalidate(bench.request("a"))
        try bench.run()
        #expect(bench.done.decodedOnWorkers == 2)
        #expect(bench.time.now > .zero.advanced(by: .milliseconds(100)))
        #expect(bench.begun.allSatisfy { $0.name.hasSuffix("b") })
        #expect(bench.pictures.loader.state(of: bench.request("a")).value != nil)
    }

    @Test func `with no workers, or on a loop at rest, it is decoded in slices`() throws {
        for workers in [0, 1] {
            let bench = try bench { $0.workers = workers }
            try makeDear(bench)
            if workers == 0 { bench.loop.mode = .tracking }
            bench.want(["a"])
            try bench.run()
            #expect(bench.done.decodedOnWorkers == 0 && bench.done.decodedOnLoop == 1)
        }
    }

    @Test func `what fails on a worker fails as it would on the loop`() throws {
        var damaged = Self.jpeg
        damaged.removeLast(damaged.count / 2)
        let bench = try bench(["a": Self.jpeg, "x": damaged])
        try makeDear(bench)
        bench.loop.mode = .tracking
        bench.want(["x"])
        try bench.run()
        guard case .truncated? = bench.error("x") else {
            Issue.record("not truncated")
            return
        }
        #expect(bench.done.failed == 1 && bench.begun.isEmpty)
        #expect(bench.source.failures.count == 1)
    }

    @Test func `what is given up while a worker is at it isn't lost, and isn't shown`() throws {
        let bench = try bench()
        try makeDear(bench)
        bench.loop.mode = .tracking
        bench.want(["a"])
        bench.loop.schedule(at: .zero.advanced(by: .milliseconds(10))) { bench.want([]) }
        try bench.run()
        #expect(bench.shown.isEmpty)
        bench.loop.mode = .default
        bench.pictures.subscribe(to: bench.request("a"))
        bench.want(["a"])
        try bench.run()
        #expect(bench.shown[bench.request("a")] == (try whole(Self.jpeg)))
    }

    // MARK: - Failures

    @Test func `what isn't there fails at once, and is there when somebody asks anew`() throws {
        let bench = try bench([:])
        bench.want(["a"])
        try bench.run()
        #expect(bench.error("a") == .cannotOpen(errno: ENOENT))
        #expect(bench.loop.statistics.timersFired == 0)
        bench.folder.write(Self.jpeg, to: "a")
        #expect(bench.pictures.retry(bench.request("a")))
        try bench.run()
        #expect(bench.done.decodedOnLoop == 1)
    }

    @Test func `what is no picture is tried once, until the file changes`() throws {
        let bench = try bench(["a": Array("no picture at all".utf8)])
        for _ in 0..<4 {
            bench.want(["a"])
            try bench.run()
            #expect(bench.error("a") == .unsupported("starts with \"no picture at al\""))
            bench.pictures.loader.invalidate(bench.request("a"))
        }
        try bench.run()
        #expect(bench.done.failed == 1 && bench.done.refused == 4)
        bench.folder.write(Self.jpeg, to: "a")
        bench.pictures.loader.invalidate(bench.request("a"))
        try bench.run()
        #expect(bench.done.decodedOnLoop == 1 && bench.source.failures.count == 0)
    }

    @Test func `what is no picture is tried anew when somebody says so`() throws {
        let bench = try bench(["a": []])
        bench.want(["a"])
        try bench.run()
        #expect(bench.pictures.retry(bench.request("a")))
        try bench.run()
        #expect(bench.done.failed == 2 && bench.done.refused == 0)
        #expect(bench.error("a") == .empty)
    }

    @Test func `what may pass is tried when the failure has had its time`() throws {
        let bench = try bench()
        let reason = PictureError.Reason.cannotOpen(errno: EMFILE)
        let path = bench.request("a").name
        bench.source.failures.note(
            PictureError(file: path, reason: reason), of: path, bench.folder.stamp("a"), at: .zero)
        bench.want(["a"])
        try bench.run(until: 999)
        #expect(bench.error("a") == reason)
        #expect(bench.done.refused == 1)
        try bench.run()
        #expect(bench.pictures.loader.state(of: bench.request("a")).value != nil)
        #expect(bench.time.now < .zero.advanced(by: .milliseconds(1100)))
    }

    @Test func `what may pass isn't tried for ever`() throws {
        let bench = try bench()
        let error = PictureError(file: "", reason: .cannotRead(errno: EIO))
        let answers = (1...6).map { failures in
            bench.source.retry(bench.request("a"), after: error, failures: failures)
        }
        #expect(answers[..<4].allSatisfy { $0 == .after(.seconds(1)) })
        #expect(answers[4...].allSatisfy { $0 == .never })
    }

    @Test func `a file that changed while it was read is tried again`() throws {
        var damaged = Self.png
        damaged.removeLast(damaged.count / 2)
        let bench = try bench(["a": damaged])
        var steps = 0
        bench.source.onStep = { _ in
            steps += 1
            if steps == 3 { bench.folder.touch("a", at: 2_000_000_000) }
        }
        bench.loop.schedule(after: .microseconds(1)) {
            bench.folder.write(Self.png, to: "a", at: 2_100_000_000)
        }
        bench.want(["a"])
        try bench.run()
        #expect(bench.pictures.loader.state(of: bench.request("a")).value != nil)
    }

    @Test func `a file that is too large for its limits isn't decoded, nor tried again`() throws {
        let bench = try bench { $0.limits.pixels = 100 }
        bench.want(["a"])
        try bench.run()
        #expect(bench.error("a") == .tooLarge(.pixels, found: 60_000, limit: 100))
        #expect(bench.begun.isEmpty)
    }

    @Test func `what is no file of pictures fails beside those that are, and each once`() throws {
        var cut = Self.jpeg
        cut.removeLast(cut.count / 2)
        let bench = try bench([
            "a": Self.jpeg, "b": Self.png, "cut": cut, "empty": [], "text": Array("<html>".utf8),
        ])
        #expect(unsafe mkfifo("\(bench.folder.path)/fifo", 0o600) == 0)
        #expect(unsafe symlink("/nowhere", "\(bench.folder.path)/gone") == 0)
        defer { for name in ["fifo", "gone"] { bench.folder.remove(name) } }
        let odd = ["fifo", "gone", "cut", "empty", "text", ".", "a/b"]
        for name in odd + ["a", "b"] { bench.pictures.subscribe(to: bench.request(name)) }
        for _ in 0..<3 {
            bench.want(odd + ["a", "b"])
            try bench.run()
            bench.want([])
        }
        #expect(odd.allSatisfy { bench.error($0) != nil })
        #expect(bench.error("fifo") == .notARegularFile && bench.error(".") == .notARegularFile)
        #expect(bench.done.failed == odd.count && bench.done.decodedOnLoop == 2)
        #expect(Set(bench.shown.keys) == [bench.request("a"), bench.request("b")])
    }

    // MARK: - Memory

    @Test func `a picture in memory is shown as soon as it's subscribed to`() throws {
        let bench = try bench()
        bench.want(["a"])
        try bench.run()
        bench.pictures.subscribe(to: bench.request("a"))
        try bench.run()
        #expect(bench.shown == [bench.request("a"): try whole(Self.jpeg)])
        #expect(bench.done.decodedOnLoop == 1)
    }

    @Test func `what is subscribed to is pinned, once, until it no longer is`() throws {
        let bench = try bench()
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
        let bench = try bench { $0.pressure = pressure.configuration }
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
        let bench = try bench { $0.pressure = pressure.configuration }
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
        let folder = Folder(Self.files)
        var shown = 0
        let pictures = try PictureLoader(on: loop) { _, _ in
            shown += 1
            if shown == 2 { loop.stop() }
        }
        let requests = ["a", "b"].map {
            PictureRequest("\(folder.path)/\($0)", fitting: PictureBench.box)
        }
        for request in requests { pictures.subscribe(to: request) }
        pictures.reconcile(
            with: requests.enumerated().map { Wanted($1, urgency: .visible, rank: $0) })
        try loop.run()
        #expect(pictures.source.costs.slowness != 1)
        // Whatever is left to do has its lull; then there is nothing but the test's timer.
        loop.schedule(after: .milliseconds(10)) { loop.stop() }
        try loop.run()
        let before = loop.statistics
        loop.schedule(after: .milliseconds(10)) { loop.stop() }
        try loop.run()
        #expect(loop.statistics.jobs == before.jobs)
        #expect(
            loop.statistics.dispatched <= before.dispatched + 1 + (pictures.pressure?.events ?? 0))
        pictures.close()
    }

    // MARK: - The store

    @Test func `what was decoded is stored later, larger than it's shown`() throws {
        let store = FakeStore()
        let bench = try bench(store: store)
        bench.want(["a"])
        try bench.run()
        let path = bench.request("a").name
        #expect(store.written[path] == (try whole(Self.jpeg, store.box)))
        let shown = bench.pictures.loader.state(of: bench.request("a")).value
        #expect(shown?.size == PixelSize(width: 60, height: 40))
        let quarters = zip(shown?.quarters ?? [], try whole(Self.jpeg).quarters)
        let off = quarters.flatMap { first, second in (0..<4).map { abs(first[$0] - second[$0]) } }
        #expect(off.count == 16 && off.allSatisfy { $0 <= 3 })
    }

    @Test func `what was stored is decoded in place of the file`() throws {
        let store = FakeStore()
        let bench = try bench(["a": Self.jpeg, "small": Self.png], store: store)
        store.has(.file(bench.request("small").name), of: bench.request("a").name)
        bench.want(["a"])
        try bench.run()
        let shown = bench.pictures.loader.state(of: bench.request("a")).value
        #expect(shown == (try whole(Self.png)))
        #expect(bench.done.foundInStore == 1)
        #expect(store.written.isEmpty)
    }

    @Test func `what was stored and is damaged is no loss`() throws {
        let store = FakeStore()
        let bench = try bench(["a": Self.jpeg, "small": [1, 2, 3]], store: store)
        store.has(.file(bench.request("small").name), of: bench.request("a").name)
        bench.want(["a"])
        try bench.run()
        #expect(bench.done.decodedOnLoop == 1 && bench.done.foundInStore == 0)
        #expect(bench.pictures.loader.state(of: bench.request("a")).value != nil)
    }

    @Test func `what is stored as a failure isn't tried, and failures are stored`() throws {
        let store = FakeStore()
        let bench = try bench(["a": Self.jpeg, "x": [7, 7, 7, 7]], store: store)
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
        let bench = try bench(["a": bytes], store: store)
        bench.want(["a"])
        try bench.run()
        let shown = bench.pictures.loader.state(of: bench.request("a")).value
        #expect(shown == (try whole(thumbnail)))
        #expect(store.written.isEmpty && bench.done.decodedOnWorkers == 1)
    }

    @Test func `a disk that is full costs nobody a picture`() throws {
        let store = FakeStore()
        store.fill()
        let bench = try bench(store: store)
        bench.want(["a", "b"])
        try bench.run()
        #expect(bench.done.decodedOnLoop == 2 && bench.loop.statistics.jobs.failed == 2)
        #expect(bench.pictures.loader.count == 2)
    }

    @Test func `a loader that is let go of takes all its work back`() throws {
        let store = FakeStore()
        let bench = try bench(store: store)
        bench.want(["a", "b"])
        _ = bench.source.cost(of: bench.request("c"))
        bench.release()
        try bench.loop.run()
        #expect(bench.begun.isEmpty && bench.shown.isEmpty)
        #expect(bench.loop.statistics.jobs.waiting == 0)
    }
}

import DeferredLoading
import IdleLoop
import TestSupport
import Testing

@testable import ImageLoading

/// What is still held after each way to end, to let go of or to make room.
@Suite struct `Nothing of pictures is held` {
    private let names = (0..<6).map { "\($0).jpg" }

    private func bench() throws -> PictureBench {
        let bytes = Sample(120, 80).jpeg()
        return try PictureBench(
            files: Dictionary(uniqueKeysWithValues: names.map { ($0, bytes) }))
    }

    @Test(arguments: [false, true])
    func `when a loader is closed or let go of, half-way or done`(isDone: Bool) throws {
        for isClosed in [false, true] {
            let bench = try bench()
            let live = LiveObjects()
            bench.source.onLoaded = { [object = live.make()] _, _ in _ = object }
            for name in names { bench.pictures.subscribe(to: bench.request(name)) }
            bench.want(names)
            if isDone { try bench.run() } else { try bench.run(until: 1) }
            weak let (pictures, source, loader) = (
                bench.pictures, bench.source, bench.pictures.loader
            )
            if isClosed { bench.pictures.close() }
            bench.release()
            #expect(pictures == nil && source == nil && loader == nil)
            #expect(live.count == 0)
        }
    }

    @Test func `when what was loaded ahead is trimmed, taken back or invalidated`() throws {
        let bench = try bench()
        bench.want(names, .speculative)
        try bench.run()
        #expect(bench.pictures.loader.count == names.count)
        bench.want([])
        bench.pictures.trim()
        #expect(bench.pictures.loader.count == 0 && bench.pictures.loader.bytes == 0)
        bench.want(names)
        try bench.run()
        for name in names { bench.pictures.invalidate(bench.request(name)) }
        bench.want([])
        bench.pictures.trim()
        #expect(bench.pictures.loader.count == 0 && bench.pictures.loader.bytes == 0)
    }

    @Test func `when a thumbnail's writer or a sweep is dropped half-way`() throws {
        let folder = CacheFolder()
        let file = folder.write("a.png", Sample(300, 200).rgbPNG())
        let stamp = try #require(FileStamp(ofFile: file))
        let header = try PictureHeader.read(file)
        for steps in 0..<4 {
            weak var held: ThumbnailCache?
            try { () throws in
                let cache = folder.cache(.service)
                held = cache
                let writer = try #require(
                    cache.writer(of: .noise(256, 170), from: file, stamp, header: header))
                let sweep = cache.sweep()
                for _ in 0..<steps {
                    _ = try writer.advance() != nil
                    _ = sweep.step()
                }
            }()
            #expect(held == nil)
            #expect(folder.entries.isEmpty)
        }
    }
}

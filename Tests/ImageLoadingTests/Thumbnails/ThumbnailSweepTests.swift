import Glibc
import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `A sweep of a thumbnail cache` {
    let folder = CacheFolder()
    static let now = CacheFolder.written + 100

    /// What a sweep has to do with an entry.
    struct Entry {
        let name: String
        let bytes: Int
        let lastUse: Int

        var cost: Int { (bytes + 4095) / 4096 * 4096 }
    }

    @discardableResult
    private func write(_ name: String, bytes: Int, changed: Int, read: Int) -> Entry {
        let file = folder.write("cache/thumbnails/\(name)", [])
        unsafe truncate(file, bytes)
        CacheFolder.date(file, changed, read: read)
        return Entry(name: name, bytes: bytes, lastUse: max(changed, read))
    }

    private func run(_ sweep: ThumbnailSweep) -> Int {
        var steps = 1
        while !sweep.step() { steps += 1 }
        return steps
    }

    @Test(arguments: [UInt64](1...12))
    func `leaves what the plain way would leave`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let folders = ["normal", "large", "x-large", "xx-large", "fail/lull-1"]
        var entries = (0..<Int.random(in: 0...90, using: &random)).map { _ in
            let digest = MD5.hexadecimal(of: [.random(in: 0...255, using: &random), 1, 2])
            return write(
                "\(folders.randomElement(using: &random)!)/\(digest).png",
                bytes: .random(in: 0...20_000, using: &random),
                changed: Self.now - 1 - .random(in: 0...40, using: &random) * 1000,
                read: Self.now - 1 - .random(in: 0...40, using: &random) * 1000)
        }
        entries = Dictionary(entries.map { ($0.name, $0) }, uniquingKeysWith: { $1 }).values
            .sorted { one, other in
                let order = { (entry: Entry) in
                    (
                        entry.lastUse, folders.firstIndex { entry.name.hasPrefix($0 + "/") } ?? 9,
                        entry.name
                    )
                }
                return order(one) < order(other)
            }
        let age = Bool.random(using: &random) ? Int.random(in: 0...40_000, using: &random) : nil
        let bytes = Bool.random(using: &random) ? Int.random(in: 0...400_000, using: &random) : nil
        let bound = ThumbnailBound(bytes: bytes, age: age.map { .seconds($0) })
        let sweep = folder.cache(bound).sweep()
        let steps = run(sweep)

        var kept = entries
        if let age { kept.removeAll { $0.lastUse < Self.now - age } }
        var total = kept.reduce(0) { $0 + $1.cost }
        while let bytes, let first = kept.first, total > bytes - bytes / 16 {
            total -= first.cost
            kept.removeFirst()
        }
        #expect(folder.entries == kept.map(\.name).sorted())
        #expect(sweep.removedFiles == entries.count - kept.count)
        #expect(
            sweep.removedBytes == entries.reduce(0) { $0 + $1.cost }
                - kept.reduce(0) { $0 + $1.cost })
        // Between folders, at their ends, for 32 files each, and for 8 removed each.
        #expect(steps <= 6 + 5 + entries.count / 32 + entries.count / 8 + 2)
    }

    @Test func `touches only thumbnails, and its own leftovers when they are old`() {
        let digest = MD5.hexadecimal(of: [])
        let others = [
            "normal/readme.png", "normal/\(digest.uppercased()).png", "normal/\(digest).jpg",
            "\(digest).png", "fail/other-1/\(digest).png", "normal/\(digest).png.ABCDEF",
            "normal/\(digest).png/inside", "large/.lull-young.tmp", "large/.other-1.tmp",
        ]
        for name in others { write(name, bytes: 10, changed: 0, read: 0) }
        let young = "\(folder.root)/large/.lull-young.tmp"
        CacheFolder.date(young, Self.now - 3600)
        for name in ["normal", "large", "fail/lull-1"] {
            write("\(name)/.lull-0.tmp", bytes: 10, changed: Self.now - 3601, read: Self.now)
        }
        unsafe symlink(young, "\(folder.root)/normal/\(MD5.hexadecimal(of: [1])).png")
        let before = others + ["normal/\(MD5.hexadecimal(of: [1])).png"]
        let sweep = folder.cache(ThumbnailBound(bytes: 0, age: .seconds(1))).sweep()
        _ = run(sweep)
        #expect(folder.entries == before.sorted())
        #expect(sweep.removedFiles == 3)
    }

    @Test func `spares an entry that was used after it was looked at`() {
        for index in 0..<4 {
            let digest = MD5.hexadecimal(of: [UInt8(index)])
            write("normal/\(digest).png", bytes: 1, changed: index, read: index)
        }
        let names = folder.entries
        let sweep = folder.cache(ThumbnailBound(bytes: 8192)).sweep()
        // Into the first folder, and through it.
        for _ in 0..<2 { #expect(!sweep.step()) }
        let digest = MD5.hexadecimal(of: [0])
        CacheFolder.date("\(folder.root)/normal/\(digest).png", 0, read: Self.now)
        _ = run(sweep)
        #expect(folder.entries.contains("normal/\(digest).png"))
        #expect(folder.entries.count == names.count - 3)
    }

    @Test func `does nothing where there is nothing`() {
        #expect(run(folder.cache(.service).sweep()) == 6 + 1)
    }

    @Test func `does nothing in a step after its last`() {
        let sweep = folder.cache(.service).sweep()
        while !sweep.step() {}
        #expect(sweep.step())
    }

    @Test func `is done by those who write, so that the bound always holds`() throws {
        let bound = 40 * 4096
        let cache = folder.cache(ThumbnailBound(bytes: bound))
        var most = 0
        for index in 0..<150 {
            folder.now += .seconds(1)
            let file = folder.write("\(index).png", [1])
            try cache.store(.plain(9, 9), of: file)
            // What a process writes is dated by the system; the test dates it by its own clock.
            if case .file(let entry) = cache.find(file, 9) {
                CacheFolder.date(entry, Int(folder.now.components.seconds))
            }
            most = max(most, folder.entries.count)
        }
        #expect((38...40).contains(most))
        // The youngest are there, and no others.
        let found = (0..<150).filter { cache.find("\(folder.path)/\($0).png", 9) != .none }
        #expect(found == Array((150 - folder.entries.count)..<150))
    }

    @Test func `goes on where a writer that was dropped has left it`() throws {
        for index in 0..<200 {
            let digest = MD5.hexadecimal(of: [UInt8(index)])
            write("normal/\(digest).png", bytes: 1, changed: index, read: index)
        }
        let cache = folder.cache(ThumbnailBound(bytes: 0))
        var rounds = 0
        while folder.entries.count > 1, rounds < 100 {
            rounds += 1
            let file = folder.write("a.png", [UInt8](repeating: 0, count: rounds))
            let stamp = try #require(FileStamp(ofFile: file))
            let header = PictureHeader(
                format: .gif, size: PixelSize(width: 9, height: 9), fileBytes: 1, channels: 1,
                bytesPerSample: 1)
            let writer = try #require(
                cache.writer(of: .plain(9, 9), from: file, stamp, header: header))
            // Enough to store the picture, and for a few steps of upkeep.
            for _ in 0..<9 { if try writer.advance() != nil { break } }
        }
        #expect((2...30).contains(rounds))
    }

    @Test func `holds for use, which a cache with a bound notes once a day`() throws {
        let file = folder.write("a.png", [1])
        try folder.cache().store(.plain(9, 9), of: file)
        let entry = "\(folder.root)/\(folder.entries[0])"
        func lastRead() -> Int { FileStatus(of: entry)?.lastUse.seconds ?? 0 }
        CacheFolder.date(entry, Self.now)
        let day = 86_400
        for (seconds, noted, bound) in [
            (day - 1, 0, ThumbnailBound.service), (day, 0, .none), (day, day, .service),
            (2 * day - 1, day, .service), (2 * day, 2 * day, .service),
        ] {
            folder.now = .seconds(Self.now + seconds)
            #expect(folder.cache(bound).find(file, 9) != .none)
            // The kernel may have noted the reading as well, by its own clock.
            #expect(lastRead() == Self.now + noted || lastRead() > Self.now + 3 * day)
            CacheFolder.date(entry, Self.now, read: Self.now + noted)
        }
    }
}

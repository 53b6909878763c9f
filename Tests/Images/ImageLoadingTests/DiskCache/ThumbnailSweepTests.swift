import Testing

@testable import ImageLoading

@Suite struct `A sweep of a thumbnail cache` {
    let folder = CacheFolder()
    static let now = CacheFolder.written + 100

    @Test func `is done by those who write, so that the bound always holds`() throws {
        let bound = 40 * 4096
        let cache = folder.cache(DiskCacheBound(bytes: bound))
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
            folder.write("cache/thumbnails/normal/\(digest).png", [0], at: index)
        }
        let cache = folder.cache(DiskCacheBound(bytes: 0))
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
            // Enough to store the picture, and for a few steps of maintenance.
            for _ in 0..<9 { if try writer.advance() != nil { break } }
        }
        #expect((2...30).contains(rounds))
    }

    @Test func `holds for use, which a cache with a bound notes once a day`() throws {
        let file = folder.write("a.png", [1])
        try folder.cache().store(.plain(9, 9), of: file)
        let entry = "\(folder.root)/\(folder.entries[0])"
        CacheFolder.date(entry, Self.now)
        let day = 86_400
        for (seconds, noted, bound) in [
            (day - 1, 0, DiskCacheBound.service), (day, 0, .none), (day, day, .service),
            (2 * day - 1, day, .service), (2 * day, 2 * day, .service),
        ] {
            folder.now = .seconds(Self.now + seconds)
            #expect(folder.cache(bound).find(file, 9) != .none)
            // The kernel may have noted the reading as well, by its own clock.
            let lastUse = CacheFolder.lastUse(entry)
            #expect(lastUse == Self.now + noted || lastUse > Self.now + 3 * day)
            CacheFolder.date(entry, Self.now, read: Self.now + noted)
        }
    }
}

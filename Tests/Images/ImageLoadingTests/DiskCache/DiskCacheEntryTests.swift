import Glibc
import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `An entry of a disk cache` {
    let files = CacheFolder()
    let cache: DiskCache
    private let payload = (0..<60).map { UInt8($0) }

    init() {
        cache = DiskCache(in: files.root, limit: 5000)
    }

    private func path(_ key: String) -> String { "\(files.root)/\(cache.name(of: key))" }

    private func write(_ bytes: [UInt8], _ key: String) {
        files.write("cache/thumbnails/\(cache.name(of: key))", bytes)
    }

    @Test func `takes what was damaged anywhere for absent, and removes it`() {
        cache.store(payload, metadata: [1, 2, 3], for: "a")
        let whole = CacheFolder.read(path("a"))
        #expect(whole.count == 4 + 4 + 1 + 4 + 3 + 60 + 4)
        #expect(cache.find("a") == DiskCacheEntry(metadata: [1, 2, 3], payload: payload))
        for index in whole.indices {
            var entry = whole
            entry[index] ^= 0x10
            write(entry, "a")
            #expect(cache.find("a") == nil)
            write(Array(whole[..<index]), "a")
            #expect(cache.find("a") == nil)
            #expect(files.entries.isEmpty)
        }
        for more in [whole + [0], whole + whole, [UInt8](repeating: 0, count: 300_000)] {
            write(more, "a")
            #expect(cache.find("a") == nil)
            #expect(files.entries.isEmpty)
        }
    }

    @Test func `under the name of another is absent`() {
        cache.store(payload, for: "a")
        unsafe rename(path("a"), path("b"))
        #expect(cache.find("b") == nil)
        #expect(files.entries.isEmpty)
    }

    @Test func `is not longer than its limit, in one piece or several`() {
        for metadata in [0, 1000] {
            let metadata = [UInt8](repeating: 1, count: metadata)
            let most = 5000 - metadata.count
            cache.store([UInt8](repeating: 2, count: most), metadata: metadata, for: "a")
            #expect(cache.find("a")?.payload.count == most)
            cache.store([UInt8](repeating: 2, count: most + 1), metadata: metadata, for: "a")
            #expect(cache.find("a")?.payload.count == most)
            let pieces = [[UInt8]](repeating: [3], count: most)
            cache.store(pieces: pieces + [[3]], metadata: metadata, for: "a")
            #expect(cache.find("a")?.payload.last == 2)
            cache.store(pieces: pieces, metadata: metadata, for: "a")
            #expect(cache.find("a")?.payload == Array(pieces.joined()))
        }
        cache.store([], metadata: [UInt8](repeating: 0, count: 5001), for: "a")
        #expect(cache.find("a")?.payload.count == 4000)
        #expect(files.entries.count == 1 && cache.failure == nil)
    }

    @Test func `has any text for a key`() {
        let keys = ["", "/", "../../x", "a\0b", "a", String(repeating: "é", count: 9000)]
        for (index, key) in keys.enumerated() { cache.store([UInt8(index)], for: key) }
        for (index, key) in keys.enumerated() {
            #expect(cache.find(key)?.payload == [UInt8(index)])
        }
        #expect(files.entries.count == keys.count)
    }

    @Test func `stays where it can't be read for now`() async {
        await #expect(processExitsWith: .success) {
            let test = `An entry of a disk cache`()
            test.cache.store([1], for: "a")
            withLimit(RLIMIT_NOFILE, 0) {
                #expect(test.cache.find("a") == nil)
                test.cache.store([2], for: "a")
            }
            #expect(test.cache.failure?.error == .system(call: "open", errno: EMFILE))
            #expect(test.cache.find("a")?.payload == [1])
        }
    }

    @Test func `is used once a day, and removed beyond the bound of its cache`() {
        let day = 86_400
        for bound in [DiskCacheBound(count: 1), .none] {
            let time = TestTime(CacheFolder.written)
            let cache = DiskCache(in: files.root, bound: bound, limit: 5000) { time.now }
            cache.store(payload, for: "a")
            CacheFolder.date(path("a"), CacheFolder.written)
            for (advance, noted) in [(day - 1, 0), (1, day), (day - 1, day), (1, 2 * day)] {
                time.advance(by: advance)
                #expect(cache.find("a") != nil)
                let noted = bound == .none ? 0 : noted
                let used = CacheFolder.lastUse(path("a")) - CacheFolder.written
                // The kernel may have noted the reading as well, by its own clock.
                #expect(used == noted || used > 3 * day)
                CacheFolder.date(path("a"), CacheFolder.written, read: CacheFolder.written + noted)
            }
            cache.store(payload, for: "b")
            cache.sweepIfDue()
            #expect((cache.find("a") == nil) == (bound != .none) && cache.find("b") != nil)
        }
    }

    // MARK: - Random calls

    /// What a key's name stands for.
    private enum Content: Equatable {
        case nothing
        case entry([UInt8])
        /// Not an entry; gone once it was looked at, unless it is a folder.
        case damaged
        case folder
    }

    @Test(arguments: seeds(1...20))
    func `is found as in a dictionary, whatever happens to the folder`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let time = TestTime(1_700_000_000)
        let cache = DiskCache(
            in: files.root, bound: DiskCacheBound(count: 500), limit: 5000
        ) { time.now }
        let outside = files.write("outside", [1, 2, 3])
        var model: [String: Content] = [:]
        var foreign: Set<String> = []
        var pausedUntil = Duration.zero
        for step in 0..<400 {
            let key = "key \(Int.random(in: 0..<12, using: &random))"
            let name = cache.name(of: key)
            let path = "\(files.root)/\(name)"
            let content = model[key] ?? .nothing
            time.advance(by: .random(in: 0...10, using: &random))
            switch Int.random(in: 0..<20, using: &random) {
            case 0...5:
                let bytes = [UInt8](
                    repeating: UInt8(step % 256), count: .random(in: 0...5100, using: &random))
                cache.store(bytes, for: key)
                if time.now < pausedUntil || bytes.count > 5000 { break }
                if content == .folder {
                    pausedUntil = time.now + .seconds(60)
                } else {
                    model[key] = .entry(bytes)
                }
            case 6...11:
                let found = cache.find(key)?.payload
                if case .entry(let bytes) = content {
                    #expect(found == bytes)
                } else {
                    #expect(found == nil)
                    if content == .damaged { model[key] = nil }
                }
            case 12:
                cache.remove(key)
                if content != .folder { model[key] = nil }
            case 13:
                let sweep = cache.sweep()
                while !sweep.step() {}
            case 14:
                CacheFolder.remove(files.root)
                (model, foreign) = ([:], [])
            case 15:
                files.write("cache/thumbnails/foreign \(step)", [0])
                foreign.insert("foreign \(step)")
            case 16 where content == .nothing:
                files.write("cache/thumbnails/\(name)/x", [])
                model[key] = .folder
            case 17 where content != .folder && content != .nothing:
                unsafe unlink(path)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: unsafe symlink(outside, path)
                case 1: unsafe link(outside, path)
                case 2: unsafe mkfifo(path, 0o600)
                default: files.write("cache/thumbnails/\(name)", [5])
                }
                model[key] = .damaged
            case 18:
                if case .entry(let bytes) = content {
                    unsafe truncate(path, .random(in: 0..<bytes.count + 4, using: &random))
                    model[key] = .damaged
                }
            case 19:
                guard time.now >= pausedUntil else { break }
                #expect(throws: DiskCacheError.system(call: "rename", errno: ENOENT)) {
                    let writer = try cache.writer(at: cache.name(of: key))
                    CacheFolder.remove(files.root)
                    try writer.commit()
                }
                (model, foreign) = ([:], [])
                pausedUntil = time.now + .seconds(60)
            default: break
            }
            let names = model.compactMap { key, content in
                content == .nothing
                    ? nil : cache.name(of: key) + (content == .folder ? "/x" : "")
            }
            #expect(files.entries == (names + foreign).sorted())
            #expect(CacheFolder.read(outside) == [1, 2, 3])
        }
    }
}

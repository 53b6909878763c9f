import IdleLoop
import TestSupport
import Testing

@testable import ImageLoading

private let stamp = FileStamp(seconds: 1, nanoseconds: 2, bytes: 3)

/// A picture of so many bytes, a multiple of four.
private func picture(_ bytes: Int, _ value: UInt8 = 0) -> Picture {
    Picture(
        size: PixelSize(width: bytes / 4, height: 1),
        pixels: [UInt8](repeating: value, count: bytes))
}

private func request(_ number: Int) -> PictureRequest {
    PictureRequest("\(number)", fitting: PixelSize(width: 9, height: 9))
}

struct PictureCacheTests {
    @Test func `what was shown longest ago goes first, what is shown stays`() {
        let cache = PictureCache(limit: 400)
        for number in 0..<4 {
            cache.pin(request(number))
            cache.insert(picture(100), for: request(number), stamp)
        }
        for number in [2, 0, 1] { cache.unpin(request(number)) }
        _ = cache.picture(for: request(2), stamp)  // to be asked for isn't to be shown
        cache.pin(request(9))
        cache.insert(picture(100), for: request(9), stamp)
        #expect(
            (0..<4).map { cache.picture(for: request($0), stamp) != nil } == [
                true, true, false, true,
            ])
        cache.checkInvariants()
    }

    @Test func `what was loaded ahead has a quarter of the room, the oldest goes first`() {
        let cache = PictureCache(limit: 400)
        for number in 0..<3 {
            cache.pin(request(number))
            cache.insert(picture(100), for: request(number), stamp)
            cache.unpin(request(number))
        }
        for number in 10..<14 { cache.insert(picture(48), for: request(number), stamp) }
        let kept = [0, 1, 2, 10, 11, 12, 13].filter {
            cache.picture(for: request($0), stamp) != nil
        }
        #expect(kept == [0, 1, 2, 12, 13])
        cache.checkInvariants()
    }

    @Test func `what takes more than a quarter is kept only while it's shown`() {
        let cache = PictureCache(limit: 400)
        cache.insert(picture(104), for: request(0), stamp)
        #expect(cache.count == 0)
        cache.pin(request(0))
        cache.insert(picture(1000), for: request(0), stamp)
        #expect(cache.bytes == 1000 && cache.pinnedBytes == 1000)
        cache.unpin(request(0))
        #expect(cache.bytes == 0 && cache.count == 0)
        cache.checkInvariants()
    }

    @Test func `a picture of another state of its file is thrown away`() {
        let cache = PictureCache(limit: 400)
        cache.insert(picture(40), for: request(0), stamp)
        let later = FileStamp(seconds: 1, nanoseconds: 3, bytes: 3)
        #expect(cache.picture(for: request(0), later) == nil)
        #expect(cache.picture(for: request(0), stamp) == nil)
        #expect(cache.bytes == 0 && cache.hits == 0 && cache.misses == 2)
    }

    @Test func `what somebody still holds is counted apart, and found again`() {
        let cache = PictureCache(limit: 400)
        var held: Picture? = cache.insert(picture(80, 7), for: request(0), stamp)
        var copy = held
        #expect(cache.liveCount == 0)
        #expect(cache.trim() == 80)
        #expect(cache.liveCount == 1 && cache.liveBytes == 80 && cache.bytes == 0)
        #expect(cache.contains(request(0)))
        #expect(cache.picture(for: request(0), stamp) == held)
        #expect(cache.liveCount == 0 && cache.bytes == 80)
        cache.trim()
        held = nil
        #expect(cache.liveCount == 1)
        copy = nil
        #expect(copy == held)
        #expect(cache.liveCount == 0 && cache.liveBytes == 0)
        #expect(!cache.contains(request(0)))
        #expect(cache.picture(for: request(0), stamp) == nil)
    }

    @Test func `pictures may be let go of on other threads`() async {
        let cache = PictureCache(limit: 4000)
        let pictures = (0..<64).map { cache.insert(picture(40), for: request($0), stamp) }
        cache.trim()
        #expect(cache.liveCount == 64)
        await withTaskGroup { group in
            for picture in pictures { group.addTask { picture.pixels.count } }
            #expect(await group.reduce(0, +) == 64 * 40)
        }
        #expect(cache.liveBytes == 64 * 40)
        withExtendedLifetime(pictures) {}
    }

    @Test func `few of those that are gone are remembered`() {
        let cache = PictureCache(limit: 400)
        for number in 0..<5000 { cache.insert(picture(100), for: request(number), stamp) }
        cache.checkInvariants()
        #expect(cache.evictions == 5000 - cache.count)
    }

    @Test func `the limit is 32 MB or a twentieth of the memory there is`() {
        let gigabyte = 1 << 30
        #expect(PictureCache.usualLimit(8 * gigabyte, nil) == 32 << 20)
        #expect(PictureCache.usualLimit(8 * gigabyte, gigabyte / 4) == gigabyte / 80)
        #expect(PictureCache.usualLimit(gigabyte / 2, gigabyte) == gigabyte / 40)
        #expect(PictureCache.usualLimit(.max, 10) == 1)
        #expect(PictureCache().limit <= 32 << 20)
    }

    /// The same, by looking at everything.
    private struct PlainCache {
        struct Entry {
            var number: Int
            var bytes: Int
            var wasShown: Bool
        }
        let limit: Int
        var entries: [Entry] = []  // the first to go first
        var pins: [Int: Int] = [:]

        var bytes: Int { entries.reduce(0) { $0 + $1.bytes } }
        func isPinned(_ entry: Entry) -> Bool { pins[entry.number, default: 0] > 0 }

        mutating func insert(_ number: Int, _ bytes: Int) {
            entries.removeAll { $0.number == number }
            entries.append(Entry(number: number, bytes: bytes, wasShown: false))
            settle()
        }

        mutating func pin(_ number: Int) {
            pins[number, default: 0] += 1
        }

        mutating func unpin(_ number: Int) {
            pins[number, default: 0] -= 1
            if pins[number] == 0, let place = entries.firstIndex(where: { $0.number == number }) {
                var entry = entries.remove(at: place)
                entry.wasShown = true
                entries.append(entry)
            }
            settle()
        }

        mutating func settle() {
            entries = entries.filter { isPinned($0) || $0.bytes <= limit / 4 }
            while bytes > limit {
                let loose = entries.filter { !isPinned($0) }
                let ahead = loose.filter { !$0.wasShown }
                let shown = loose.filter(\.wasShown)
                let isFull = ahead.reduce(0) { $0 + $1.bytes } > limit / 4 || shown.isEmpty
                guard let victim = isFull ? ahead.first : shown.first else { return }
                entries.removeAll { $0.number == victim.number }
            }
        }
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `keeps what a plain cache keeps`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let cache = PictureCache(limit: 1000)
        var plain = PlainCache(limit: 1000)
        var mistakes: [String] = []
        for step in 0..<500 {
            let number = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                let bytes = 4 * Int.random(in: 1...80, using: &random)
                cache.insert(picture(bytes, UInt8(number)), for: request(number), stamp)
                plain.insert(number, bytes)
            case 4, 5:
                cache.pin(request(number))
                plain.pin(number)
            case 6, 7:
                guard plain.pins[number, default: 0] > 0 else { continue }
                cache.unpin(request(number))
                plain.unpin(number)
            case 8:
                cache.remove(request(number))
                plain.entries.removeAll { $0.number == number }
            default:
                guard step % 7 == 0 else { continue }
                let freed = cache.trim()
                let before = plain.bytes
                plain.entries = plain.entries.filter(plain.isPinned)
                if freed != before - plain.bytes { mistakes.append("\(step): freed \(freed)") }
            }
            cache.checkInvariants()
            let kept = Set(plain.entries.map(\.number))
            let found = Set((0..<20).filter { cache.contains(request($0)) })
            if kept != found { mistakes.append("\(step): \(found) for \(kept)") }
            if cache.bytes != plain.bytes { mistakes.append("\(step): \(cache.bytes) bytes") }
        }
        #expect(mistakes == [])
    }

    @Test func `what isn't pinned is unpinned for nothing`() {
        let cache = PictureCache(limit: 1 << 20)
        cache.insert(.plain(1, 1), for: request(0), nil)
        for number in 0..<2 { cache.unpin(request(number)) }
        cache.pin(request(0))
        for _ in 0..<2 { cache.unpin(request(0)) }
        cache.checkInvariants()
        #expect(cache.count == 1 && cache.pinnedBytes == 0)
    }
}

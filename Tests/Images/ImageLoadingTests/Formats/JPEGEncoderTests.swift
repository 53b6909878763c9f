import Glibc
import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `A JPEG that was written` {
    @Test(arguments: seeds(1...3))
    func `is what libjpeg writes in one go, byte for byte, whatever its size`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for side in [1, 2, 7, 15, 16, 17, 130] {
            let other = Int.random(in: 1...130, using: &random)
            for (width, height) in [(side, other), (other, side), (side, side)] {
                let photo = Photo(seed: seed, width: width, height: height)
                #expect(
                    try encoded(photo.picture, quality: 95) == photo.sample.jpeg(),
                    "\(width)x\(height)")
            }
        }
    }

    @Test(arguments: [(30, 28.0), (60, 31), (85, 33), (95, 36)])
    func `comes as near to its picture as its quality says`(quality: Int, decibels: Double) throws {
        let picture = Photo(seed: 4, width: 317, height: 211).picture
        let decoded = try decode(encoded(picture, quality: quality))
        #expect(decoded.size == picture.size)
        #expect(decoded.ratio(to: picture) > decibels)
        #expect(decoded.ratio(to: picture) < decibels + 12)
    }

    @Test func `shows white where something is seen through it`() throws {
        let size = PixelSize(width: 48, height: 16)
        // A third opaque, a third half, a third clear: black, premultiplied.
        let alphas: [UInt8] = [255, 128, 0]
        let pixels = (0..<size.width * size.height).flatMap { index -> [UInt8] in
            [0, 0, 0, alphas[index % 48 / 16]]
        }
        let picture = Picture(size: size, pixels: pixels)
        let white = try decode(encoded(picture, quality: 95))
        #expect([8, 24, 40].map { white[$0, 8][1] } == [0, 127, 255])
    }

    @Test func `takes a colour brighter than its alpha as full`() throws {
        let size = PixelSize(width: 16, height: 16)
        let pixels = [UInt8]((0..<256).flatMap { _ in [250, 250, 250, 100] as [UInt8] })
        let decoded = try decode(encoded(Picture(size: size, pixels: pixels), quality: 95))
        #expect(decoded.pixels.allSatisfy { $0 == 255 })
    }

    @Test func `comes in small pieces, whatever the picture`() throws {
        let pictures: [(picture: Picture, rows: Int)] = [
            (.noise(512, 33), 16), (.white(320, 240), 16), (.noise(1, 5000), 4096),
            (.noise(3000, 1), 16), (.noise(100, 100), 32), (.white(65_500, 2), 16),
        ]
        for (picture, rows) in pictures {
            var encoder = try JPEGEncoder(picture, quality: 90)
            var (steps, longest) = (0, 0)
            var isDone = false
            while !isDone {
                var piece: [UInt8] = []
                isDone = try encoder.step(into: &piece)
                steps += 1
                longest = max(longest, piece.count)
            }
            #expect(steps == 2 + (picture.size.height + rows - 1) / rows)
            #expect(longest < 1000 + 4 * rows * picture.size.width)
        }
    }

    @Test(.disabled(if: isInstrumented, "sanitizers take memory as they please"))
    func `is an error where there is no memory for it`() async {
        await #expect(processExitsWith: .success) {
            let picture = Picture.white(65_500, 1)
            var started = 0
            var failed = 0
            // What it takes is tried to be had with a little more room each time.
            for room in 0..<40 {
                withMemory(moreBy: UInt(room) << 18) {
                    do throws(PictureError.Reason) {
                        var encoder = try JPEGEncoder(picture, quality: 90)
                        var file: [UInt8] = []
                        while try !encoder.step(into: &file) {}
                        started += 1
                    } catch {
                        if error == .outOfMemory { failed += 1 }
                    }
                }
            }
            guard failed > 0, started > 0, failed + started == 40 else { exit(1) }
        }
    }
}

/// Whether the address sanitizer is at work, which reserves terabytes.
private var isInstrumented: Bool { unsafe dlsym(nil, "__asan_init") != nil }

/// A picture as a JPEG.
private func encoded(_ picture: Picture, quality: Int) throws -> [UInt8] {
    var encoder = try JPEGEncoder(picture, quality: quality)
    var file: [UInt8] = []
    while try !encoder.step(into: &file) {}
    return file
}

/// Does something while the process can have hardly more memory than it has.
private func withMemory(moreBy room: UInt, _ body: () -> Void) {
    let data = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    var before = rlimit()
    unsafe getrlimit(data, &before)
    let limit = UInt(memoryInUse()) + room
    var lower = rlimit(rlim_cur: limit, rlim_max: before.rlim_max)
    unsafe setrlimit(data, &lower)
    body()
    unsafe setrlimit(data, &before)
}

/// The bytes that the process has for its data, by the sixth number that the system gives.
private func memoryInUse() -> Int {
    let file = unsafe fopen("/proc/self/statm", "r")!
    var line = [UInt8](repeating: 0, count: 100)
    let count = unsafe fread(&line, 1, line.count, file)
    unsafe fclose(file)
    let numbers = line[..<count].split(separator: UInt8(ascii: " "))
    return (Int(String(decoding: numbers[5], as: UTF8.self)) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
}

extension Picture {
    fileprivate static func white(_ width: Int, _ height: Int) -> Picture {
        Picture(
            size: PixelSize(width: width, height: height),
            pixels: [UInt8](repeating: 255, count: 4 * width * height))
    }
}

extension Photo {
    /// The photo as a picture, opaque.
    fileprivate var picture: Picture {
        let pixels = stride(from: 0, to: sample.values.count, by: 3).flatMap { start in
            sample.values[start..<start + 3] + [255]
        }
        return Picture(size: sample.size, pixels: pixels)
    }
}

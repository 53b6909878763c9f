import Glibc
import ImageLoading
import Testing

@Suite struct `A hostile picture` {
    @Test func `that unfolds to a gigabyte is refused by its header`() {
        let bits = Hostile.flatPNG(30_000, 30_000, rows: 300)
        #expect(
            failure(bits) == .tooLarge(.pixels, found: 900_000_000, limit: 128_000_000))
        let colours = Hostile.flatPNG(20_000, 20_000, depth: 8, colorType: 2, rows: 20)
        #expect(
            failure(colours) == .tooLarge(.pixels, found: 400_000_000, limit: 128_000_000))
    }

    @Test func `of eight million pixels in a kilobyte or two decodes as it says`() throws {
        let bytes = Hostile.flatPNG(4_000, 2_000)
        #expect(bytes.count < 4_000)
        let picture = try decode(bytes, fitting: PixelSize(width: 64, height: 64))
        #expect(picture.size == PixelSize(width: 64, height: 32))
        #expect(
            stride(from: 0, to: picture.pixels.count, by: 4).allSatisfy {
                picture.pixels[$0] == 0 && picture.pixels[$0 + 3] == 255
            })
    }

    @Test func `with a profile or a text that unfolds to 200 MB is decoded without them`() throws {
        let plain = try decode(Hostile.flatPNG(8, 8, depth: 8))
        for bomb in [
            Hostile.profileBomb(unfolding: 200 << 20), Hostile.textBomb(unfolding: 200 << 20),
        ] {
            #expect(bomb.count < 1 << 20)
            #expect(try decode(Hostile.flatPNG(8, 8, depth: 8, extra: bomb)) == plain)
        }
    }

    @Test func `whose compressed pixels are a row short is corrupt`() {
        guard case .corrupt(let message) = failure(Hostile.flatPNG(64, 64, rows: 63)) else {
            Issue.record("\(String(describing: failure(Hostile.flatPNG(64, 64, rows: 63))))")
            return
        }
        #expect(!message.isEmpty)
    }

    @Test func `of thousands of scans is given up at the limit`() {
        let bytes = Hostile.manyScans(Sample(256, 256).jpeg(progressive: true), times: 4000)
        // A scan that comes again is wrong by itself: either count may be the first to be full.
        switch failure(bytes) {
        case .tooLarge(.scans, found: 101, limit: 100), .corrupt: break
        case let other: Issue.record("\(String(describing: other))")
        }
        guard
            case .tooLarge(.scans, found: 101, limit: 100) =
                failure(bytes, limits: PictureLimits(warnings: .max))
        else {
            Issue.record("the scans are counted whatever they hold")
            return
        }
    }

    @Test func `that is something else under a picture's name is unsupported`() {
        for (name, bytes) in Hostile.disguises {
            let file = TemporaryFile(bytes, name: name)
            let targetSize = PixelSize(width: 64, height: 64)
            do throws(PictureError) {
                _ = try PictureJob(path: file.path, fitting: targetSize).decode()
                Issue.record("\(name) is a picture")
            } catch {
                guard case .unsupported = error.reason else {
                    Issue.record("\(name): \(error)")
                    continue
                }
            }
        }
    }

    @Test func `of ten gigabytes of nothing is refused by its length`() {
        let file = TemporaryFile([0xFF, 0xD8, 0xFF])
        let count = 10 << 30
        #expect(unsafe truncate(file.path, count) == 0)
        do throws(PictureError) {
            _ = try PictureJob(path: file.path, fitting: .ample).decode()
            Issue.record("a picture")
        } catch {
            #expect(error.reason == .tooLarge(.bytes, found: count, limit: 64 << 20))
        }
    }
}

import ImageLoading
import TestSupport
import Testing

@Suite struct `A damaged file` {
    @Test(arguments: Kind.allCases)
    func `gives what is there, marked, or an error, wherever it is cut`(kind: Kind) throws {
        let bytes = kind.encoded(Sample(40, 36))
        let file = TemporaryFile(bytes)
        let whole = try PictureJob(path: file.path, fitting: .ample).decode()
        var counts = (sound: 0, damaged: 0, failed: 0)
        for count in bytes.indices {
            file.write(Array(bytes[..<count]))
            do throws(PictureError) {
                let picture = try PictureJob(path: file.path, fitting: .ample).decode()
                #expect(picture.size == whole.size)
                guard let damage = picture.damage else {
                    counts.sound += 1
                    #expect(picture == whole, "cut to \(count) of \(bytes.count) bytes")
                    continue
                }
                counts.damaged += 1
                guard case .truncated(let rows, of: 36) = damage else {
                    Issue.record("cut to \(count) bytes: \(damage)")
                    continue
                }
                #expect(picture.pixels.contains { $0 != 0 })
                let known = 4 * 40 * rows
                #expect(picture.pixels[..<known] == whole.pixels[..<known])
            } catch {
                counts.failed += 1
                switch error.reason {
                case .truncated(let rows, let all): #expect(10 * rows <= all)
                case .empty: #expect(count == 0)
                default: Issue.record("cut to \(count) bytes: \(error)")
                }
            }
        }
        #expect(counts.sound < 40 && counts.damaged > 0 && counts.failed > 0)
        #expect(file.openDescriptors == 0)
    }

    @Test(arguments: Kind.allCases)
    func `gives an error or some picture, whatever is changed`(kind: Kind) {
        let bytes = kind.encoded(Sample(40, 36))
        let file = TemporaryFile(bytes)
        let limits = PictureLimits(pixels: 1_000_000, decoderMemory: 8_000_000)
        for seed in seeds(0..<400) {
            var random = SplitMix64(seed: seed)
            var damaged = bytes
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: damaged.indices, using: &random)
                damaged[place] = .random(in: 0...255, using: &random)
            }
            file.write(damaged)
            let targetSize = PixelSize(width: 20, height: 20)
            let decoder = PictureJob(path: file.path, fitting: targetSize, limits: limits)
            if let picture = try? decoder.decode() {
                #expect(picture.size.width <= 20 && picture.size.height <= 20)
            }
        }
        #expect(file.openDescriptors == 0)
    }

    @Test func `tells how many rows there were`() throws {
        let bytes = Sample(64, 480).jpeg()
        let reason = try #require(failure(Array(bytes[..<(bytes.count / 2)])))
        guard case .truncated(let rows, of: 480) = reason else {
            Issue.record("\(reason)")
            return
        }
        #expect((100..<400).contains(rows))
    }

    @Test func `isn't whole though somebody has put an end mark to it`() throws {
        let bytes = Sample(64, 480).jpeg()
        let ended = Array(bytes[..<(bytes.count / 2)]) + [0xFF, 0xD9]
        #expect(failure(ended) == .corrupt("Corrupt JPEG data: premature end of data segment"))
        let (picture, whole) = (try decode(ended), try decode(bytes))
        #expect(picture.size == whole.size && picture[10, 100] == whole[10, 100])
    }

    @Test func `is whole if only the end mark of a JPEG is lost`() throws {
        let bytes = Sample(64, 48).jpeg()
        #expect(try decode(bytes.dropLast(2)) == decode(bytes))
    }

    @Test func `says what libpng found`() {
        var bytes = Sample(40, 40).rgbPNG()
        bytes[bytes.count - 20] ^= 1
        guard case .corrupt(let message) = failure(bytes) else {
            Issue.record("\(String(describing: failure(bytes)))")
            return
        }
        #expect(!message.isEmpty)
    }
}

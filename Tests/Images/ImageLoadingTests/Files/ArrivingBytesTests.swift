import ImageLoading
import TestSupport
import Testing

@Suite struct `Bytes that are still arriving` {
    /// A file, and whether it can be decoded before its last byte is there.
    struct Kind: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let isStreamed: Bool

        static let all: [Kind] = {
            let (sample, photo) = (Sample(100, 75), Photo(seed: 5, width: 320, height: 240).sample)
            let notes = EXIFSample(orientation: 6, thumbnail: Sample(40, 30).greyJPEG()).bytes
            return [
                Kind("JPEG", photo.jpeg(), true),
                Kind("progressive JPEG", photo.jpeg(progressive: true), true),
                Kind("JPEG with a thumbnail", photo.jpeg().jpegWithEXIF(notes), true),
                Kind("arithmetic JPEG", sample.jpeg(arithmetic: true), false),
                Kind("PNG", sample.rgbPNG(), false),
                Kind(
                    "PNG with notes behind", sample.rgbPNG().pngWithEXIF(notes, behindPixels: true),
                    false),
                Kind("interlaced PNG", sample.rgbaPNG(interlaced: true), false),
                Kind("WebP", Sample(400, 400).webp(), true),
                Kind("lossless WebP", sample.webp(lossless: true), false),
                Kind("GIF", GIF(sample).encoded(), false),
            ]
        }()

        init(_ name: String, _ bytes: [UInt8], _ isStreamed: Bool) {
            testDescription = name
            self.bytes = bytes
            self.isStreamed = isStreamed
        }

        func whole() throws -> Picture {
            try PictureJob(.bytes(bytes), named: "picture", fitting: targetSize).decode()
        }
    }

    private struct Outcome {
        var result: Result<Picture, PictureError>
        var previews: [Picture] = []
        /// The steps that were done while bytes were missing.
        var early = 0
    }

    /// Gives a job its bytes piece by piece, each when it waits.
    private func decode(
        _ bytes: [UInt8], expected: Int?, piece: () -> Int
    ) throws -> Outcome {
        let arriving = ArrivingBytes(expected: expected)
        // A header is read anew with each piece, which under a sanitizer takes long for single bytes.
        let job = PictureJob(
            arriving: arriving, named: "picture", fitting: targetSize,
            limits: PictureLimits(time: .seconds(3600)))
        var outcome = Outcome(result: .failure(PictureError(file: "", reason: .empty)))
        var sent = 0
        while true {
            let step: PictureStep<Picture>
            do throws(PictureError) {
                step = try job.step()
            } catch {
                outcome.result = .failure(error)
                return outcome
            }
            switch step {
            case .done(let picture):
                outcome.result = .success(picture)
                return outcome
            case .refined(let picture): outcome.previews.append(picture)
            case .more: if !arriving.isComplete { outcome.early += 1 }
            case .waiting:
                try #require(!arriving.isComplete, "waits for what won't come")
                let next = min(bytes.count, sent + min(piece(), bytes.count))
                arriving.append(bytes[sent..<next])
                sent = next
                if sent == bytes.count { arriving.finish() }
            }
        }
    }

    @Test(arguments: Kind.all, [7, 100, 1460, 1 << 20])
    func `give the same picture in pieces of any size`(kind: Kind, size: Int) throws {
        let outcome = try decode(kind.bytes, expected: kind.bytes.count) { size }
        #expect(try outcome.result.get() == kind.whole())
        if size <= 100 { #expect((outcome.early > 5) == kind.isStreamed, "\(outcome.early)") }
        let unknown = try decode(kind.bytes, expected: nil) { size }
        #expect(try unknown.result.get() == kind.whole())
        #expect(unknown.early == 0)
    }

    @Test(arguments: Kind.all, seeds(0..<20))
    func `of a damaged file give the same picture, damage and error`(kind: Kind, seed: UInt64)
        throws
    {
        var random = SplitMix64(seed: seed)
        var bytes = kind.bytes
        for _ in 0..<3 {
            let place = Int.random(in: bytes.count / 4..<bytes.count, using: &random)
            bytes[place] = .random(in: 0...255, using: &random)
        }
        let whole = Result { () throws(PictureError) in
            try PictureJob(.bytes(bytes), named: "picture", fitting: targetSize).decode()
        }
        for size in [7, 300] {
            #expect(try decode(bytes, expected: bytes.count) { size }.result == whole)
        }
    }

    /// The library's fast decoder takes padding in a scan for its end.
    @Test(arguments: [false, true])
    func `may have padding among a JPEG's pixels`(isProgressive: Bool) throws {
        let plain = Photo(seed: 6, width: 640, height: 480).sample.jpeg(progressive: isProgressive)
        var padded: [UInt8] = []
        var isPixels = false
        for place in plain.indices {
            let next = place + 1 < plain.count ? plain[place + 1] : 0
            if plain[place] == 0xFF { isPixels = next == 0xDA || (isPixels && next == 0) }
            if isPixels, plain[place] == 0xFF, next == 0 { padded += [0xFF, 0xFF] }
            padded.append(plain[place])
        }
        #expect(padded.count > plain.count + 20)
        let picture = try PictureJob(.bytes(plain), named: "plain", fitting: targetSize).decode()
        for size in [7, 1460, 1 << 20] {
            let outcome = try decode(padded, expected: padded.count) { size }
            #expect(try outcome.result.get() == picture)
        }
    }

    @Test(arguments: Kind.all) func `end early as a file does that is cut`(kind: Kind) throws {
        for share in [0, 1, 3, 8, 9, 10] {
            let cut = Array(kind.bytes.prefix(kind.bytes.count * share / 11))
            let outcome = try decode(cut + [], expected: kind.bytes.count) { 700 }
            let whole = Result { () throws(PictureError) in
                try PictureJob(.bytes(cut), named: "picture", fitting: targetSize).decode()
            }
            guard case .failure(let error) = whole, case .failure(let other) = outcome.result else {
                #expect((try? whole.get()) == (try? outcome.result.get()))
                continue
            }
            // The file's length is known before the file is.
            if share > 0 { #expect(other == error) }
        }
    }

    @Test func `show the thumbnail in the file first, upright`() throws {
        let kind = Kind.all[2]
        let outcome = try decode(kind.bytes, expected: kind.bytes.count) { 1000 }
        let preview = try #require(outcome.previews.first)
        #expect(preview.size == PixelSize(width: 30, height: 40))
        #expect(try outcome.result.get().size == PixelSize(width: 60, height: 80))
        let whole = try decode(kind.bytes, expected: kind.bytes.count) { .max }
        #expect(whole.previews.isEmpty, "what is there needs none")
    }
}

private let targetSize = PixelSize(width: 80, height: 80)

import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `A thumbnail in a file` {
    let sample = Sample(400, 300)
    /// Grey, to tell it from the picture.
    let thumbnail = Sample(160, 120).greyJPEG()

    @Test(arguments: [1, 50, 100, 159, 160])
    func `stands for its picture where it is large enough`(side: Int) throws {
        let (picture, source) = try decode(thumbnail, side)
        #expect(source == .embeddedThumbnail)
        #expect(picture.size == sample.size.fitted(in: PixelSize(width: side, height: side)))
        #expect(isGrey(picture))
    }

    @Test(arguments: [161, 200, 400, 1000])
    func `leaves larger boxes to the picture`(side: Int) throws {
        let (picture, source) = try decode(thumbnail, side)
        #expect(source == .picture)
        #expect(picture.size.width == min(side, 400))
        #expect(!isGrey(picture))
    }

    @Test(arguments: ImageOrientation.allCases)
    func `is turned as the picture is`(orientation: ImageOrientation) throws {
        let notes = EXIFSample(orientation: orientation.rawValue, thumbnail: thumbnail)
        let bytes = sample.jpeg().jpegWithEXIF(notes.bytes)
        // A box that is wide enough only for what is upright.
        let upright = orientation.stored(PixelSize(width: 160, height: 120))
        let decoder = ImageDecoder(bytes: bytes, named: "a", fitting: upright)
        let picture = try decoder.decode()
        #expect(decoder.source == .embeddedThumbnail)
        let stored = try ImageDecoder(bytes: thumbnail, named: "b", fitting: .ample).decode()
        #expect(picture == stored.upright(from: orientation))
    }

    @Test func `is not used if it is told off`() throws {
        let notes = EXIFSample(orientation: 1, thumbnail: thumbnail)
        let decoder = ImageDecoder(
            bytes: sample.jpeg().jpegWithEXIF(notes.bytes), named: "a",
            fitting: PixelSize(width: 100, height: 100),
            options: .init(usesEmbeddedThumbnail: false))
        #expect(!isGrey(try decoder.decode()))
        #expect(decoder.source == .picture)
    }

    @Test func `is all that is read of the pixels`() throws {
        let plain = sample.jpeg()
        let tables = try #require(
            plain.indices.dropLast().first { plain[$0] == 0xFF && plain[$0 + 1] == 0xC4 })
        let notes = EXIFSample(orientation: 1, thumbnail: thumbnail)
        let cut = Array(plain[..<tables]).jpegWithEXIF(notes.bytes)
        let small = PixelSize(width: 100, height: 100)
        #expect(isGrey(try ImageDecoder(bytes: cut, named: "a", fitting: small).decode()))
        #expect(throws: ImageError.self) {
            try ImageDecoder(bytes: cut, named: "a", fitting: .ample).decode()
        }
    }

    @Test func `is found in a PNG too`() throws {
        let notes = EXIFSample(orientation: 1, thumbnail: thumbnail).bytes
        for behindPixels in [false, true] {
            let decoder = ImageDecoder(
                bytes: sample.rgbPNG().pngWithEXIF(notes, behindPixels: behindPixels), named: "a",
                fitting: PixelSize(width: 100, height: 100))
            #expect(isGrey(try decoder.decode()))
            #expect(decoder.source == .embeddedThumbnail)
        }
    }

    @Test(arguments: [
        Sample(160, 116), Sample(160, 124), Sample(120, 160), Sample(800, 600), Sample(401, 301),
        Sample(160, 160),
    ])
    func `of another shape or a larger size is not believed`(other: Sample) throws {
        let (picture, source) = try decode(other.greyJPEG(), 60)
        #expect(source == .picture)
        #expect(!isGrey(picture))
    }

    @Test(arguments: [Sample(160, 118), Sample(160, 122), Sample(157, 120)])
    func `may differ by two per cent`(other: Sample) throws {
        let (picture, source) = try decode(other.greyJPEG(), 60)
        #expect(source == .embeddedThumbnail)
        #expect(isGrey(picture) && picture.size.width <= 60 && picture.size.height <= 45)
    }

    @Test func `is passed over in silence if it can't be decoded`() throws {
        let whole = try decode(nil, 60).picture
        var broken = thumbnail
        for index in broken.count / 2..<broken.count { broken[index] = 0xFF }
        let huffman = try #require(
            thumbnail.indices.dropLast().first {
                thumbnail[$0] == 0xFF && thumbnail[$0 + 1] == 0xC4
            }
        )
        let strangers = [
            Array(thumbnail[..<(thumbnail.count / 2)]), Array(thumbnail[..<huffman]), broken,
            Array(thumbnail[..<3]), Sample(160, 120).rgbPNG(), [0], Array("<html></html>".utf8),
            Sample(160, 120).inkJPEG(ycck: false),
        ]
        for (index, stranger) in strangers.enumerated() {
            let (picture, source) = try decode(stranger, 60)
            #expect(picture == whole && source == .picture, "\(index)")
        }
    }

    @Test func `has no thumbnail and no orientation of its own`() throws {
        let inner = EXIFSample(orientation: 6, thumbnail: Sample(80, 60).jpeg())
        let nested = thumbnail.jpegWithEXIF(inner.bytes)
        let (picture, source) = try decode(nested, 40)
        #expect(source == .embeddedThumbnail && isGrey(picture))
        #expect(picture.size == PixelSize(width: 40, height: 30))
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `that is damaged costs nothing but itself`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var damaged = thumbnail
        for _ in 0...Int.random(in: 0...20, using: &random) {
            let place = Int.random(in: damaged.indices, using: &random)
            damaged[place] = .random(in: 0...255, using: &random)
        }
        let (picture, source) = try decode(damaged, 60)
        #expect(source == .embeddedThumbnail || !isGrey(picture))
        #expect(picture.size.width <= 60 && picture.size.height <= 45)
    }

    @Test func `is told by the header`() throws {
        let notes = EXIFSample(orientation: 6, thumbnail: thumbnail).bytes
        let bytes = sample.jpeg().jpegWithEXIF(notes)
        let file = TemporaryFile(bytes)
        let header = try ImageHeader.read(file.path)
        let found = try #require(header.embeddedThumbnail)
        #expect(Array(bytes[found.range]) == thumbnail)
        #expect(found.size == PixelSize(width: 160, height: 120) && found.channels == 1)
        #expect(found.format == .jpeg(progressive: false))
        #expect(header.isServedByThumbnail(fitting: PixelSize(width: 120, height: 160)))
        #expect(header.isServedByThumbnail(fitting: PixelSize(width: 1000, height: 160)))
        #expect(!header.isServedByThumbnail(fitting: PixelSize(width: 160, height: 161)))
        let plain = ImageHeader(
            format: header.format, size: header.size, fileBytes: 1, channels: 3, bytesPerSample: 1)
        #expect(!plain.isServedByThumbnail(fitting: PixelSize(width: 1, height: 1)))
    }

    /// Decodes the picture with that thumbnail into a square box.
    private func decode(
        _ thumbnail: [UInt8]?, _ side: Int
    ) throws -> (picture: Picture, source: ImageDecoder.Source) {
        let notes = thumbnail.map { EXIFSample(orientation: 1, thumbnail: $0).bytes }
        let file = TemporaryFile(notes.map(sample.jpeg().jpegWithEXIF) ?? sample.jpeg())
        let decoder = ImageDecoder(
            path: file.path, fitting: PixelSize(width: side, height: side))
        let picture = try decoder.decode()
        #expect(file.openDescriptors == 0)
        return (picture, decoder.source)
    }

    private func isGrey(_ picture: Picture) -> Bool {
        picture.quarters.allSatisfy { $0[0] == $0[1] && $0[1] == $0[2] }
    }
}

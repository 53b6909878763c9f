import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `A thumbnail in a file` {
    let sample = Sample(200, 150)
    /// Grey, to tell it from the picture.
    let thumbnail = Sample(80, 60).greyJPEG()

    @Test(arguments: [
        (1, true), (25, true), (79, true), (80, true), (81, false), (200, false), (1000, false),
    ])
    func `stands for its picture where it is large enough`(side: Int, serves: Bool) throws {
        let (picture, usesThumbnail) = try decode(thumbnail, side)
        #expect(usesThumbnail == serves)
        #expect(picture.size == sample.size.fitted(in: PixelSize(width: side, height: side)))
        #expect(isGrey(picture) == serves)
    }

    @Test(arguments: [
        (Sample(80, 58), false), (Sample(80, 59), true), (Sample(80, 61), true),
        (Sample(80, 62), false), (Sample(79, 60), true), (Sample(60, 80), false),
        (Sample(80, 80), false), (Sample(400, 300), false), (Sample(201, 151), false),
    ])
    func `is believed if its shape differs by two per cent, and no more`(
        other: Sample, serves: Bool
    ) throws {
        let (picture, usesThumbnail) = try decode(other.greyJPEG(), 30)
        #expect(usesThumbnail == serves)
        #expect(isGrey(picture) == serves)
        #expect(picture.size.width <= 30 && picture.size.height <= 23)
    }

    @Test func `is passed over in silence if it is damaged, or no picture`() throws {
        let whole = try decode(nil, 30).picture
        var broken = thumbnail
        for index in broken.count / 2..<broken.count { broken[index] = 0xFF }
        let strangers = [
            Array(thumbnail[..<(thumbnail.count / 2)]), Array(thumbnail[..<200]), broken,
            Array(thumbnail[..<(thumbnail.count * 3 / 4)]), Array(thumbnail[..<3]),
            Sample(80, 60).rgbPNG(), [0], Array("<html></html>".utf8),
            Sample(80, 60).inkJPEG(ycck: false),
        ]
        for (index, stranger) in strangers.enumerated() {
            let (picture, usesThumbnail) = try decode(stranger, 30)
            #expect(picture == whole && !usesThumbnail, "\(index)")
        }
    }

    @Test(arguments: [PictureOrientation.mirrored, .halfTurn, .transposed, .quarterTurn])
    func `is turned as the picture is`(orientation: PictureOrientation) throws {
        let notes = EXIFSample(orientation: orientation.rawValue, thumbnail: thumbnail)
        let bytes = sample.jpeg().jpegWithEXIF(notes.bytes)
        // A target size that is wide enough only for what is upright.
        let upright = orientation.stored(PixelSize(width: 80, height: 60))
        let decoder = PictureJob(.bytes(bytes), named: "a", fitting: upright)
        let picture = try decoder.decode()
        #expect(decoder.usesThumbnail)
        let stored = try PictureJob(.bytes(thumbnail), named: "b", fitting: .ample).decode()
        #expect(picture == stored.upright(from: orientation))
    }

    @Test func `is shown, and marked, if nothing of the picture can be`() throws {
        let plain = sample.jpeg()
        let scan = try #require(
            plain.indices.dropLast().first { plain[$0] == 0xFF && plain[$0 + 1] == 0xDA })
        let notes = EXIFSample(orientation: 6, thumbnail: thumbnail)
        let cut = Array(plain[..<(scan + 20)]).jpegWithEXIF(notes.bytes)
        let decoder = PictureJob(.bytes(cut), named: "a", fitting: .ample)
        let picture = try decoder.decode()
        #expect(isGrey(picture) && decoder.usesThumbnail)
        guard case .truncated? = picture.damage else {
            Issue.record("\(String(describing: picture.damage))")
            return
        }
        let strict = PictureJob(
            .bytes(cut), named: "a", fitting: .ample, options: .strict)
        #expect(throws: PictureError.self) { try strict.decode() }
    }

    @Test func `is found in a PNG too`() throws {
        let notes = EXIFSample(orientation: 1, thumbnail: thumbnail).bytes
        for behindPixels in [false, true] {
            let decoder = PictureJob(
                .bytes(sample.rgbPNG().pngWithEXIF(notes, behindPixels: behindPixels)), named: "a",
                fitting: PixelSize(width: 50, height: 50))
            #expect(isGrey(try decoder.decode()))
            #expect(decoder.usesThumbnail)
        }
    }

    @Test func `has no thumbnail and no orientation of its own`() throws {
        let inner = EXIFSample(orientation: 6, thumbnail: Sample(40, 30).jpeg())
        let nested = thumbnail.jpegWithEXIF(inner.bytes)
        let (picture, usesThumbnail) = try decode(nested, 20)
        #expect(usesThumbnail && isGrey(picture))
        #expect(picture.size == PixelSize(width: 20, height: 15))
    }

    @Test func `is told by the header`() throws {
        let notes = EXIFSample(orientation: 6, thumbnail: thumbnail).bytes
        let bytes = sample.jpeg().jpegWithEXIF(notes)
        let file = TemporaryFile(bytes)
        let header = try PictureHeader.read(.file(file.path))
        let found = try #require(header.embeddedThumbnail)
        #expect(Array(bytes[found.range]) == thumbnail)
        #expect(found.size == PixelSize(width: 80, height: 60) && found.channels == 1)
        #expect(found.format == .jpeg)
        #expect(header.isServedByThumbnail(fitting: PixelSize(width: 60, height: 80)))
        #expect(header.isServedByThumbnail(fitting: PixelSize(width: 1000, height: 80)))
        #expect(!header.isServedByThumbnail(fitting: PixelSize(width: 80, height: 81)))
        let plain = PictureHeader(
            format: header.format, size: header.size, fileBytes: 1, channels: 3, bytesPerSample: 1)
        #expect(!plain.isServedByThumbnail(fitting: PixelSize(width: 1, height: 1)))
    }

    /// Decodes the picture with that thumbnail into a square target size.
    private func decode(
        _ thumbnail: [UInt8]?, _ side: Int
    ) throws -> (picture: Picture, usesThumbnail: Bool) {
        let notes = thumbnail.map { EXIFSample(orientation: 1, thumbnail: $0).bytes }
        let file = TemporaryFile(notes.map(sample.jpeg().jpegWithEXIF) ?? sample.jpeg())
        let decoder = PictureJob(
            .file(file.path), fitting: PixelSize(width: side, height: side))
        let picture = try decoder.decode()
        #expect(file.openDescriptors == 0)
        return (picture, decoder.usesThumbnail)
    }

    private func isGrey(_ picture: Picture) -> Bool {
        picture.quarters.allSatisfy { $0[0] == $0[1] && $0[1] == $0[2] }
    }
}

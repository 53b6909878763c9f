import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `A picture's orientation` {
    /// The ways in which tests store a picture with notes.
    enum Store: CaseIterable {
        case jpeg, progressiveJPEG, png, pngBehindPixels, interlacedPNG

        func encoded(_ sample: Sample, notes: [UInt8]?) -> [UInt8] {
            switch self {
            case .jpeg:
                notes.map(sample.jpeg().jpegWithEXIF) ?? sample.jpeg()
            case .progressiveJPEG:
                notes.map(sample.jpeg(progressive: true).jpegWithEXIF)
                    ?? sample.jpeg(progressive: true)
            case .png: notes.map { sample.rgbaPNG().pngWithEXIF($0) } ?? sample.rgbaPNG()
            case .pngBehindPixels:
                notes.map { sample.rgbaPNG().pngWithEXIF($0, behindPixels: true) }
                    ?? sample.rgbaPNG()
            case .interlacedPNG:
                notes.map { sample.rgbaPNG(interlaced: true).pngWithEXIF($0) }
                    ?? sample.rgbaPNG(interlaced: true)
            }
        }
    }

    @Test(arguments: Store.allCases)
    func `is put right in whatever kind of file it stands`(store: Store) throws {
        let sample = Sample(60, 40)
        let stored = try decode(store.encoded(sample, notes: nil))
        for orientation in ImageOrientation.allCases {
            let notes = EXIFSample(orientation: orientation.rawValue).bytes
            let file = TemporaryFile(store.encoded(sample, notes: notes))
            let header = try ImageHeader.read(file.path)
            #expect(header.orientation == orientation)
            #expect(header.size == sample.size)
            let picture = try ImageDecoder(path: file.path, fitting: .ample).decode()
            #expect(picture.size == header.orientedSize)
            #expect(picture == stored.upright(from: orientation), "\(orientation)")
        }
    }

    @Test(arguments: ImageOrientation.allCases)
    func `is put right before the picture is fitted into the box`(
        orientation: ImageOrientation
    ) throws {
        let notes = EXIFSample(orientation: orientation.rawValue).bytes
        let bytes = Sample(60, 40).jpeg().jpegWithEXIF(notes)
        let box = PixelSize(width: 30, height: 10)
        let oriented = orientation.swapsSides ? (40, 60) : (60, 40)
        let expected = PixelSize(width: oriented.0, height: oriented.1).fitted(in: box)
        #expect(try decode(bytes, fitting: box).size == expected)
    }

    @Test func `is that of the first notes in a JPEG, wherever they stand`() throws {
        let plain = Sample(20, 10).jpeg()
        let (six, eight) = (EXIFSample(orientation: 6).bytes, EXIFSample(orientation: 8).bytes)
        #expect(try orientation(plain.jpegWithEXIF(eight).jpegWithEXIF(six)) == .quarterTurn)
        let other = [UInt8].segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
        let behind = plain.jpegWithEXIF(six)
        let third = Array(behind[..<2]) + other + other + Array(behind[2...])
        #expect(try orientation(third) == .quarterTurn)
        // Between the frame header and the first scan.
        let scan = try #require(
            plain.indices.dropLast().last { plain[$0] == 0xFF && plain[$0 + 1] == 0xDA })
        let notes = [UInt8].segment(0xE1, .exifMark + six)
        let late = Array(plain[..<scan]) + notes + Array(plain[scan...])
        #expect(try orientation(late) == .quarterTurn)
        // Behind it, notes are none.
        let end = plain.count - 2
        #expect(try orientation(Array(plain[..<end]) + notes + Array(plain[end...])) == .upright)
    }

    @Test func `is found behind the pixels of a long PNG`() throws {
        // Noise makes a file of which not all is looked at.
        let sample = Sample(300, 200)
        var state: UInt32 = 1
        let noise = (0..<3 * 300 * 200).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        let plain = sample.png(noise, type: 2)
        #expect(plain.count > 150_000)
        let six = EXIFSample(orientation: 6).bytes
        let behind = plain.pngWithEXIF(six, behindPixels: true)
        #expect(try orientation(behind) == .quarterTurn)
        // With more behind it, and something behind the end.
        let text = [UInt8].chunk("tEXt", Array("date:create\02020".utf8))
        let end = behind.count - 12
        let more = Array(behind[..<end]) + text + text + Array(behind[end...])
        #expect(try orientation(more + [0, 0, 0, 0, 0]) == .quarterTurn)
    }

    @Test func `is not what pixels seem to say`() throws {
        let plain = Sample(300, 200).rgbPNG()
        let notes = EXIFSample(orientation: 6).bytes
        let length = [0, 0, 0, UInt8(notes.count)]
        let forged = [UInt8].chunk("IDAT", length + Array("eXIf".utf8) + notes)
        let end = plain.count - 12
        #expect(try orientation(Array(plain[..<end]) + forged + Array(plain[end...])) == .upright)
    }

    @Test func `is found in a WebP that says it has notes`() throws {
        let notes = EXIFSample(orientation: 8).bytes
        for notes in [notes, .exifMark + notes] {
            let chunks = [("VP8 ", [UInt8](repeating: 7, count: 5001)), ("EXIF", notes)]
            #expect(try webpOrientation(.webp(chunks: chunks)) == .threeQuarterTurn)
            #expect(try webpOrientation(.webp(chunks: chunks.reversed())) == .threeQuarterTurn)
            #expect(try webpOrientation(.webp(flags: 0, chunks: chunks)) == nil)
            #expect(try webpOrientation(.webp(chunks: [chunks[0]])) == nil)
        }
    }

    @Test func `is upright in a WebP that is cut, or says that it is shorter`() throws {
        let notes = EXIFSample(orientation: 8).bytes
        let bytes = [UInt8].webp(chunks: [("VP8 ", [1, 2, 3]), ("EXIF", notes)])
        for count in 1..<bytes.count {
            let found = try webpOrientation(Array(bytes[..<count]))
            // The orientation is the first entry, the last byte of its value the 70th of the file.
            #expect(found ?? .upright == (count < 70 ? .upright : .threeQuarterTurn), "\(count)")
        }
        var short = bytes
        short.replaceSubrange(4..<8, with: [30, 0, 0, 0])
        #expect(try webpOrientation(short) == nil)
    }

    @Test func `is upright in a WebP of more chunks than anybody looks at`() throws {
        let notes = EXIFSample(orientation: 8).bytes
        let pictures = { (count: Int) in (0..<count).map { _ in ("ANMF", [UInt8]()) } }
        #expect(
            try webpOrientation(.webp(chunks: pictures(900) + [("EXIF", notes)]))
                == .threeQuarterTurn)
        #expect(try webpOrientation(.webp(chunks: pictures(1100) + [("EXIF", notes)])) == nil)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `never costs a picture, whatever the notes are`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var notes = EXIFSample(orientation: 6, thumbnail: Sample(8, 6).jpeg()).bytes
        for _ in 0...Int.random(in: 0...9, using: &random) {
            let place = Int.random(in: 0..<min(100, notes.count), using: &random)
            notes[place] = .random(in: 0...255, using: &random)
        }
        notes.removeLast(Int.random(in: 0..<notes.count, using: &random))
        let sample = Sample(16, 12)
        let box = PixelSize(width: 4, height: 4)
        #expect(failure(sample.jpeg().jpegWithEXIF(notes)) == nil)
        _ = try decode(sample.jpeg().jpegWithEXIF(notes), fitting: box)
        _ = try decode(sample.rgbPNG().pngWithEXIF(notes), fitting: box)
        _ = try decode(sample.rgbPNG().pngWithEXIF(notes, behindPixels: true), fitting: box)
        _ = try webpOrientation(.webp(chunks: [("EXIF", notes)]))
    }

    private func orientation(_ bytes: [UInt8]) throws -> ImageOrientation {
        let file = TemporaryFile(bytes)
        let orientation = try ImageHeader.read(file.path).orientation
        #expect(file.openDescriptors == 0)
        return orientation
    }

    private func webpOrientation(_ bytes: [UInt8]) throws -> ImageOrientation? {
        let file = try ImageFile(.bytes(bytes), limits: ImageLimits())
        return WebPChunkWalker.exif(of: file).map { FileEXIF(of: file, in: $0).orientation }
    }
}

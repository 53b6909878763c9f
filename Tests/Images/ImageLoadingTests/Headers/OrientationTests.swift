import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `A picture's orientation` {
    @Test(arguments: Kind.allCases)
    func `is put right in whatever kind of file it stands`(kind: Kind) throws {
        let sample = Sample(60, 40)
        let plain = kind.encoded(sample)
        let stored = try decode(plain)
        for orientation in PictureOrientation.allCases {
            let notes = EXIFSample(orientation: orientation.rawValue).bytes
            guard let bytes = plain.withNotes(notes, of: sample.size) else { return }
            let file = TemporaryFile(bytes)
            let header = try PictureHeader.read(.file(file.path))
            #expect(header.orientation == orientation)
            #expect(header.size == sample.size)
            let picture = try PictureJob(.file(file.path), fitting: .ample).decode()
            #expect(picture.size == header.orientedSize)
            #expect(picture == stored.upright(from: orientation), "\(orientation)")
            // Upright is what is fitted into a target size.
            let targetSize = PixelSize(width: 30, height: 10)
            let small = try PictureJob(.file(file.path), fitting: targetSize).decode()
            #expect(small.size == picture.size.fitted(in: targetSize))
        }
    }

    @Test(arguments: [PictureOrientation.halfTurn, .quarterTurn])
    func `is put right in a first picture too`(orientation: PictureOrientation) throws {
        let notes = EXIFSample(orientation: orientation.rawValue).bytes
        let plain = Photo(seed: 1, width: 320, height: 240).sample.jpeg(progressive: true)
        let stored = try #require(try first(of: plain))
        #expect(try first(of: plain.jpegWithEXIF(notes)) == stored.upright(from: orientation))
        #expect(try first(of: plain, options: .withoutPreviews) == nil)
    }

    /// The first picture that steps give, unless it is the last.
    private func first(
        of bytes: [UInt8], options: PictureJob.Options = .init()
    ) throws -> Picture? {
        let decoder = PictureJob(
            .bytes(bytes), named: "a", fitting: PixelSize(width: 80, height: 80), options: options)
        while true {
            switch try decoder.step() {
            case .more, .waiting: continue
            case .refined(let picture): return picture
            case .done: return nil
            }
        }
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
        let text = Hostile.chunk("tEXt", Array("date:create\02020".utf8))
        let end = behind.count - 12
        let more = Array(behind[..<end]) + text + text + Array(behind[end...])
        #expect(try orientation(more + [0, 0, 0, 0, 0]) == .quarterTurn)
    }

    @Test func `is not what pixels seem to say`() throws {
        let plain = Sample(300, 200).rgbPNG()
        let notes = EXIFSample(orientation: 6).bytes
        let length = [0, 0, 0, UInt8(notes.count)]
        let forged = Hostile.chunk("IDAT", length + Array("eXIf".utf8) + notes)
        let end = plain.count - 12
        #expect(try orientation(Array(plain[..<end]) + forged + Array(plain[end...])) == .upright)
    }

    @Test func `is found in a WebP before or behind the pixels, if the canvas says it is there`()
        throws
    {
        let notes = EXIFSample(orientation: 8).bytes
        let still = webPImageData(Sample(16, 12).webp())
        let canvas = { webPCanvas(PixelSize(width: 16, height: 12), flags: $0) }
        let exif = webPChunk("EXIF", notes)
        let small = Array([[UInt8]](repeating: webPChunk("ABCD", []), count: 900).joined())
        #expect(try orientation(webPFile(canvas(8) + exif + still)) == .threeQuarterTurn)
        #expect(try orientation(webPFile(canvas(8) + still + small + exif)) == .threeQuarterTurn)
        #expect(try orientation(webPFile(canvas(0) + still + exif)) == .upright)
        #expect(try orientation(webPFile(canvas(8) + still)) == .upright)
        // Of more chunks than anybody looks at.
        #expect(try orientation(webPFile(canvas(8) + still + small + small + exif)) == .upright)
        // Of a file that is cut, or says that it is shorter.
        let bytes = webPFile(canvas(8) + still + exif)
        let value = bytes.count - exif.count + 8 + 8 + 2 + 9
        for count in (bytes.count - exif.count)..<bytes.count {
            let cut = Array(bytes[..<count])
            #expect(try orientation(cut) == (count <= value ? .upright : .threeQuarterTurn))
        }
        var short = bytes
        short.replaceSubrange(4..<8, with: [UInt8(bytes.count - exif.count - 8), 0, 0, 0])
        #expect(try orientation(short) == .upright)
    }

    @Test(arguments: seeds(0..<200))
    func `never costs a picture, whatever the notes are`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var notes = EXIFSample(orientation: 6, thumbnail: Sample(8, 6).jpeg()).bytes
        for _ in 0...Int.random(in: 0...9, using: &random) {
            let place = Int.random(in: 0..<min(100, notes.count), using: &random)
            notes[place] = .random(in: 0...255, using: &random)
        }
        notes.removeLast(Int.random(in: 0..<notes.count, using: &random))
        let sample = Sample(16, 12)
        let targetSize = PixelSize(width: 4, height: 4)
        #expect(failure(sample.jpeg().jpegWithEXIF(notes)) == nil)
        _ = try decode(sample.jpeg().jpegWithEXIF(notes), fitting: targetSize)
        _ = try decode(sample.rgbPNG().pngWithEXIF(notes), fitting: targetSize)
        _ = try decode(sample.rgbPNG().pngWithEXIF(notes, behindPixels: true), fitting: targetSize)
        let canvas = webPCanvas(sample.size, flags: 8)
        let webP = webPFile(
            canvas + webPImageData(sample.webp()) + webPChunk("EXIF", notes))
        _ = try decode(webP, fitting: targetSize)
    }

    private func orientation(_ bytes: [UInt8]) throws -> PictureOrientation {
        let file = TemporaryFile(bytes)
        let orientation = try PictureHeader.read(.file(file.path)).orientation
        #expect(file.openDescriptors == 0)
        return orientation
    }
}

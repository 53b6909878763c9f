import TestSupport
import Testing

@testable import ImageLoading

@Suite struct `EXIF notes` {
    @Test func `mean upright where they say nonsense, or are none`() {
        for value in [0, 9, 255, 65_535] {
            #expect(EXIF(EXIFSample(orientation: value).bytes) == EXIF())
        }
        for (type, count) in [(2, 1), (3, 2), (3, 0), (5, 1), (0, 1), (3, 65_535)] {
            var sample = EXIFSample()
            sample.entries = [.init(tag: 0x112, type: type, count: count, value: 6)]
            #expect(EXIF(sample.bytes) == EXIF(), "type \(type), count \(count)")
        }
        for bytes in [[], [0x4D], Array("Exif\0\0".utf8), Array("MM\0*".utf8), Array("II*".utf8)] {
            #expect(EXIF(bytes) == EXIF())
        }
        var mixed = EXIFSample(orientation: 6).bytes
        mixed[0] = 0x4D
        #expect(EXIF(mixed) == EXIF())
    }

    @Test(
        arguments: [
            ("1970:01:01 00:00:00", 0), ("2026:11:26 09:30:15", 1_795_685_415),
            ("2024:02:29 23:59:59", 1_709_251_199), ("2000:03:01 00:00:00", 951_868_800),
            ("1900:03:01 12:00:00", -2_203_848_000), ("0000:00:00 00:00:00", nil),
            ("2026:13:01 00:00:00", nil), ("2026:01:01 24:00:00", nil),
            ("    :  :     :  :  ", nil),
            ("2026:11:26", nil), ("", nil),
        ] as [(String, Int?)], [false, true])
    func `tell when a picture was taken`(date: (text: String, seconds: Int?), isBigEndian: Bool) {
        for tag in [0x9003, 0x9004, 0x132] {
            let notes = EXIFSample.dated(date.text, tag: tag, isBigEndian: isBigEndian)
            #expect(EXIF(notes) == EXIF(dateTaken: date.seconds))
            for count in notes.indices { _ = EXIF(Array(notes[..<count])) }
        }
    }

    @Test(arguments: seeds(0..<300))
    func `are read as they were written`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (sample, expected) = Self.sample(using: &random)
        #expect(EXIF(sample.bytes) == expected)
        #expect(EXIF(.exifMark + sample.bytes).orientation == expected.orientation)
    }

    @Test(arguments: seeds(0..<10))
    func `say what is left of them, wherever they are cut`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (sample, whole) = Self.sample(using: &random)
        let bytes = sample.bytes
        var surprises: [Int] = []
        for count in bytes.indices {
            let found = EXIF(Array(bytes[..<count]))
            // The thumbnail comes last, so that any cut takes it away.
            let isFine = [.upright, whole.orientation].contains(found.orientation)
            if !isFine || found.thumbnail != nil && found.thumbnail!.upperBound > count {
                surprises.append(count)
            }
        }
        #expect(surprises.isEmpty)
    }

    @Test func `that go round in a circle end`() {
        let sample = EXIFSample(orientation: 6)
        // The first directory names itself as the next.
        let looped =
            Array("II*\0".utf8) + sample.number(8, 4) + sample.directory(sample.entries, next: 8)
        #expect(EXIF(looped) == EXIF(orientation: .quarterTurn))
        // The second names the first, and itself.
        for next in [8, 26] {
            var back = Array(looped[..<(looped.count - 4)])
            back += sample.number(26, 4) + sample.directory([], next: next)
            #expect(EXIF(back) == EXIF(orientation: .quarterTurn))
        }
    }

    @Test func `are looked at for 512 entries`() {
        for (before, expected) in [(511, PictureOrientation.halfTurn), (512, .upright)] {
            var sample = EXIFSample()
            sample.entries = (0..<before).map { .init(tag: 0x9000 + $0, value: 1) }
            sample.entries.append(.init(tag: 0x112, value: 3))
            #expect(EXIF(sample.bytes).orientation == expected)
        }
    }

    @Test func `have a thumbnail only where it can be one`() {
        let honest = EXIFSample(orientation: 1, thumbnail: [1, 2, 3])
        #expect(EXIF(honest.bytes).thumbnail?.count == 3)
        let end = honest.bytes.count
        let lies: [(Int, Int, Int)] = [
            (1, end - 3, 3), (6, end - 3, 4), (6, end, 1), (6, end - 3, 0),
            (6, 0xFFFF_FFFF, 3), (6, end - 3, 0xFFFF_FFFF), (6, 0xFFFF_FFFF, 0xFFFF_FFFF),
        ]
        for (compression, offset, length) in lies {
            var sample = EXIFSample(orientation: 1)
            sample.thumbnailEntries = [
                .init(tag: 0x103, value: compression), .init(tag: 0x201, type: 4, value: offset),
                .init(tag: 0x202, type: 4, value: length),
            ]
            let bytes = sample.bytes + [1, 2, 3]
            #expect(bytes.count == end)
            #expect(EXIF(bytes) == EXIF(), "\(compression) \(offset) \(length)")
        }
    }

    /// Notes, and what they should be taken to say.
    private static func sample(
        using random: inout SplitMix64
    ) -> (sample: EXIFSample, expected: EXIF) {
        var sample = EXIFSample()
        sample.isBigEndian = .random(using: &random)
        sample.padding = .random(in: 0...9, using: &random)
        sample.entries = others(using: &random)
        var orientation = PictureOrientation.upright
        if Bool.random(using: &random) {
            orientation = PictureOrientation.allCases.randomElement(using: &random)!
            let type = Bool.random(using: &random) ? 3 : 4
            sample.entries.append(.init(tag: 0x112, type: type, value: orientation.rawValue))
        }
        sample.entries.shuffle(using: &random)
        // An orientation of the thumbnail's own is not that of the picture.
        sample.thumbnailEntries = [.init(tag: 0x112, value: 8)] + others(using: &random)
        sample.thumbnailEntries.shuffle(using: &random)
        sample.hasSecond = .random(using: &random)
        let count = Int.random(in: 0...50, using: &random)
        sample.thumbnail = (0..<count).map { _ in .random(in: 0...255, using: &random) }
        let end = sample.bytes.count
        let thumbnail = sample.hasSecond && count > 0 ? end - count..<end : nil
        return (sample, EXIF(orientation: orientation, thumbnail: thumbnail))
    }

    private static func others(using random: inout SplitMix64) -> [EXIFSample.Entry] {
        (0..<Int.random(in: 0...20, using: &random)).map { index in
            EXIFSample.Entry(
                tag: 0x8000 + index, type: .random(in: 1...12, using: &random),
                count: .random(in: 0...100, using: &random),
                value: .random(in: 0...65_535, using: &random))
        }
    }
}

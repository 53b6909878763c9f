/// EXIF notes that tests write, honest or not.
struct EXIFSample {
    var isBigEndian = false
    /// Entries of the picture's directory: tag, type, count and value.
    var entries: [Entry] = []
    /// Entries of the thumbnail's directory besides those of `thumbnail`.
    var thumbnailEntries: [Entry] = []
    /// What stands at the end, and is pointed to if it isn't empty.
    var thumbnail: [UInt8] = []
    /// Whether there is a second directory.
    var hasSecond = true
    /// Zeros between the parts.
    var padding = 0

    struct Entry {
        var tag: Int
        var type = 3
        var count = 1
        var value: Int
    }

    init() {}

    init(orientation: Int, thumbnail: [UInt8] = []) {
        entries = [Entry(tag: 0x112, value: orientation)]
        self.thumbnail = thumbnail
    }

    /// The notes, without the mark before them.
    var bytes: [UInt8] {
        var directory = thumbnailEntries
        let first = 8 + padding
        let second = first + 2 + 12 * entries.count + 4 + padding
        let hasThumbnail = !thumbnail.isEmpty
        let end = second + 2 + 12 * (directory.count + (hasThumbnail ? 3 : 0)) + 4 + padding
        if hasThumbnail {
            directory += [
                Entry(tag: 0x103, value: 6), Entry(tag: 0x201, type: 4, value: end),
                Entry(tag: 0x202, type: 4, value: thumbnail.count),
            ]
        }
        let gap = [UInt8](repeating: 0, count: padding)
        var bytes: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
        bytes += number(first, 4) + gap
        bytes += self.directory(entries, next: hasSecond ? second : 0) + gap
        if hasSecond { bytes += self.directory(directory, next: 0) + gap + thumbnail }
        return bytes
    }

    /// Notes with a date in the camera's directory, or in the picture's.
    static func dated(_ text: String, tag: Int = 0x9003, isBigEndian: Bool = false) -> [UInt8] {
        var sample = EXIFSample()
        sample.isBigEndian = isBigEndian
        sample.hasSecond = false
        // The camera's directory comes after the picture's, and the text after that.
        let (camera, words) = (8 + 18, Array(text.utf8) + [0])
        let date = Entry(tag: tag, type: 2, count: words.count, value: camera + 18)
        let isPictures = tag == 0x132
        sample.entries = [isPictures ? date : Entry(tag: 0x8769, type: 4, value: camera)]
        return sample.bytes + sample.directory([date], next: 0) + words
    }

    func directory(_ entries: [Entry], next: Int) -> [UInt8] {
        var bytes = number(entries.count, 2)
        for entry in entries {
            bytes += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
            bytes +=
                entry.type == 3 ? number(entry.value, 2) + [0, 0] : number(entry.value, 4)
        }
        return bytes + number(next, 4)
    }

    func number(_ value: Int, _ count: Int) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }
}

/// Puts EXIF notes into picture files.
extension [UInt8] {
    static let exifMark: [UInt8] = Array("Exif\0\0".utf8)

    /// A JPEG with a segment of notes right after its start.
    func jpegWithEXIF(_ notes: [UInt8]) -> [UInt8] {
        self[..<2] + Self.segment(0xE1, .exifMark + notes) + self[2...]
    }

    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
    }

    /// A PNG with a chunk of notes before or behind its pixels.
    func pngWithEXIF(_ notes: [UInt8], behindPixels: Bool = false) -> [UInt8] {
        let place = behindPixels ? count - 12 : 33
        return self[..<place] + Hostile.chunk("eXIf", notes) + self[place...]
    }
}

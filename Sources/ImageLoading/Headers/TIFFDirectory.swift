/// A list of tagged values in a TIFF file.
struct TIFFDirectory {
    /// More than any camera writes.
    private static let maxEntries = 512
    private static let entryLength = 12

    private let tiff: TIFFBytes
    private let firstEntry: Int
    private let count: Int

    /// The directory at an offset; one that is not there is empty.
    init(of tiff: TIFFBytes, at offset: Int) {
        self.tiff = tiff
        firstEntry = offset + 2
        count = tiff.short(at: offset) ?? 0
    }

    /// The place of the next directory: 0 after the last, nil if the file ends before it says so.
    var next: Int? { tiff.long(at: firstEntry + count * Self.entryLength) }

    /// The first value under a tag, if it is one number; takes time by the number of entries.
    subscript(tag: Int) -> Int? {
        for index in 0..<min(count, Self.maxEntries) {
            let entry = firstEntry + index * Self.entryLength
            guard let found = tiff.short(at: entry) else { return nil }
            if found == tag { return number(ofEntryAt: entry) }
        }
        return nil
    }

    private func number(ofEntryAt entry: Int) -> Int? {
        guard tiff.long(at: entry + 4) == 1 else { return nil }
        let (short, long) = (3, 4)
        return switch tiff.short(at: entry + 2) {
        case short: tiff.short(at: entry + 8)
        case long: tiff.long(at: entry + 8)
        default: nil
        }
    }
}

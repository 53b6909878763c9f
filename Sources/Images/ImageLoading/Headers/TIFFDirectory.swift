/// A list of tagged values in a TIFF file.
struct TIFFDirectory {
    /// The maximum number of entries, more than any camera writes.
    private static let maxEntries = 512
    private static let entryLength = 12

    private let tiff: TIFFBytes
    private let firstEntry: Int
    private let count: Int

    /// Creates the directory at an offset; a missing one is empty.
    init(of tiff: TIFFBytes, at offset: Int) {
        self.tiff = tiff
        firstEntry = offset + 2
        count = tiff.short(at: offset) ?? 0
    }

    /// The offset of the next directory: 0 after the last, nil if the file ends before this number.
    var next: Int? { tiff.long(at: firstEntry + count * Self.entryLength) }

    /// The value of a tag, if it is a single number; O(*n*) in the number of entries.
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

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
    subscript(tag: Int) -> Int? { entry(of: tag).flatMap(number(ofEntryAt:)) }

    /// Returns the value of a tag, if it is a date and a time: `2026:11:26 09:30:00`.
    ///
    /// It has no time zone: the result is the number of seconds since the start of 1970, as if it
    /// were UTC. O(*n*) in the number of entries.
    func date(_ tag: Int) -> Int? {
        let (ascii, length) = (2, 19)
        guard let entry = entry(of: tag), tiff.short(at: entry + 2) == ascii,
            let count = tiff.long(at: entry + 4), count >= length,
            let offset = tiff.long(at: entry + 8)
        else { return nil }
        func number(_ places: Range<Int>) -> Int? {
            places.reduce(0) { sum, place -> Int? in
                guard let sum, let byte = tiff.byte(offset + place), 48...57 ~= byte else {
                    return nil
                }
                return sum * 10 + byte - 48
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16),
            let second = number(17..<19), year > 0, 1...12 ~= month, 1...31 ~= day, hour < 24,
            minute < 60, second <= 60
        else { return nil }
        return ((Self.days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    }

    /// Returns the number of days from the first of 1970 to a date of the Gregorian calendar.
    ///
    /// Years begin in March here, so that leap days come last (H. Hinnant, "chrono-Compatible
    /// Low-Level Date Algorithms").
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    private func entry(of tag: Int) -> Int? {
        for index in 0..<min(count, Self.maxEntries) {
            let entry = firstEntry + index * Self.entryLength
            guard let found = tiff.short(at: entry) else { return nil }
            if found == tag { return entry }
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

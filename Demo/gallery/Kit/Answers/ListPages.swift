internal import GalleryCatalogue
internal import GalleryFiles
internal import ImageLoading
internal import ReplayText
internal import ScrollModel

/// The list in the parts in which a browser fetches it: row heights, many at a time, and names,
/// some at a time.
struct ListPages {
    /// The maximum number of row heights in an answer.
    static let mostHeights = 20_000
    /// The maximum number of sections in an answer of heights.
    static let mostSections = 256
    /// The maximum number of rows in an answer.
    static let mostRows = 256

    let catalogue: Catalogue
    let title: String
    let epoch: String

    /// Creates the pages of a gallery with this title and ``Gallery/epoch``.
    init(of catalogue: Catalogue, title: String, epoch: String) {
        self.catalogue = catalogue
        self.title = title
        self.epoch = epoch
    }

    /// Returns the heights of rows from `first` on, and the sections that begin there.
    func heights(from first: Int) -> JSON {
        let count = catalogue.layout.rowCount
        let first = min(max(0, first), count)
        let sections = spans(from: first, to: min(count, first + Self.mostHeights))
        // With many folders, fewer rows fit.
        let end =
            sections.count > Self.mostSections
            ? sections[Self.mostSections].first : min(count, first + Self.mostHeights)
        let geometry = catalogue.geometry
        return .members([
            ("version", .whole(catalogue.version)), ("epoch", .text(epoch)),
            ("rows", .whole(count)), ("header", .whole(Int(geometry.header))),
            (
                "box",
                .list([.whole(Int(geometry.targetWidth)), .whole(Int(geometry.targetHeight))])
            ),
            ("from", .whole(first)), ("next", end < count ? .whole(end) : .null),
            ("sections", json(sections.prefix(Self.mostSections))),
            ("heights", .digits(heights(of: first..<end))),
            ("complete", .flag(catalogue.isComplete)), ("omitted", omissions),
        ])
    }

    /// The omissions, for the page.
    var omissions: JSON {
        let omissions = catalogue.omissions
        return .members([
            ("files", .whole(omissions.unsupportedFiles)),
            ("folders", .whole(omissions.unreadableFolders)), ("more", .flag(omissions.isCut)),
        ])
    }

    /// Returns the heights of rows as a list.
    private func heights(of rows: Range<Int>) -> String {
        var text: [UInt8] = [UInt8(ascii: "[")]
        text.reserveCapacity(4 * rows.count + 2)
        catalogue.forEachHeight(at: rows) { height in
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            Self.append(Int(height), to: &text)
        }
        text.append(UInt8(ascii: "]"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends a nonnegative number.
    private static func append(_ number: Int, to text: inout [UInt8]) {
        if number > 9 { append(number / 10, to: &text) }
        text.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Returns the keys, names, sizes and dates of some rows.
    func rows(_ rows: Range<Int>) -> JSON {
        let rows = rows.clamped(to: 0..<catalogue.layout.rowCount).prefix(Self.mostRows)
        return .members([
            ("version", .whole(catalogue.version)), ("from", .whole(rows.startIndex)),
            ("rows", .list(rows.map { row(catalogue.entry(atPosition: $0)) })),
        ])
    }

    private func row(_ entry: CatalogueEntry) -> JSON {
        .list([
            .text(entry.key.text), .text(entry.path.shownName), .whole(entry.pixels?.width ?? 0),
            .whole(entry.pixels?.height ?? 0), .whole(entry.byteCount),
            entry.taken.map { .whole($0) } ?? .null,
        ])
    }

    // MARK: - Sections

    /// Returns all sections, as ``heights(from:)`` does; nil if that exceeds `limit` bytes.
    func sections(within limit: Int) -> JSON? {
        let spans = spans(from: 0, to: .max)
        // A truncated name has at least 80 characters.
        let least = spans.reduce(0) { count, span in
            count + 8 + min(80, catalogue.sections[span.section].folder.bytes.count)
        }
        guard least <= limit else { return nil }
        return json(spans[...])
    }

    /// Returns the name, first row and number of rows of each section.
    private func json(_ spans: ArraySlice<Span>) -> JSON {
        .list(
            spans.map { span in
                let name = catalogue.shownName(ofSection: span.section, title: title)
                return .list([.text(name), .whole(span.first), .whole(span.count)])
            })
    }

    private typealias Span = (section: Int, first: Int, count: Int)

    /// Returns the sections that begin in a range of rows.
    private func spans(from first: Int, to end: Int) -> [Span] {
        var position = 0
        var spans: [Span] = []
        for (number, section) in catalogue.sections.enumerated() {
            // A section without rows has the position of the next.
            if position >= first, position < end {
                spans.append((number, position, section.rowCount))
            }
            position += section.rowCount
        }
        return spans
    }
}

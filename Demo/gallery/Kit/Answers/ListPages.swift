internal import GalleryCatalogue
internal import GalleryFiles
internal import ImageLoading
internal import ReplayReport
internal import ScrollModel

/// The list as pages fetch it: where rows lie, a great part at a time, and what they are, some at a
/// time.
struct ListPages {
    /// How many rows' heights are told at once.
    static let mostHeights = 20_000
    /// How many bytes of folders' names.
    static let mostNames = 100 << 10
    /// How many rows are told of at once.
    static let mostRows = 256

    private let catalogue: Catalogue
    private let epoch: String
    private let title: String

    init(of gallery: Gallery) {
        catalogue = gallery.catalogue
        epoch = gallery.epoch
        title = gallery.title
    }

    /// Where the rows from one on lie, and the sections that begin there.
    func heights(from first: Int) -> JSON {
        let count = catalogue.layout.rowCount
        let first = min(max(0, first), count)
        var end = min(count, first + Self.mostHeights)
        // Names may be long: fewer rows then.
        var names = 0
        for section in spans(from: first, to: end) {
            names += section.name.utf8.count + 32
            if names > Self.mostNames, section.first > first {
                end = section.first
                break
            }
        }
        let heights = (first..<end).map { catalogue.layout.extent(ofRowAt: $0).height }
        let geometry = catalogue.geometry
        return .members([
            ("version", .whole(catalogue.version)), ("epoch", .text(epoch)),
            ("rows", .whole(count)), ("header", .whole(Int(geometry.header))),
            ("box", .list([.whole(Int(geometry.boxWidth)), .whole(Int(geometry.boxHeight))])),
            ("from", .whole(first)), ("next", end < count ? .whole(end) : .digits("null")),
            ("sections", sections(from: first, to: end)),
            ("heights", .list(heights.map { .whole(Int($0)) })),
            ("complete", .flag(catalogue.isComplete)),
        ])
    }

    /// What some rows are.
    func rows(_ rows: Range<Int>) -> JSON {
        let rows = rows.clamped(to: 0..<catalogue.layout.rowCount).prefix(Self.mostRows)
        return .members([
            ("version", .whole(catalogue.version)), ("from", .whole(rows.startIndex)),
            ("rows", .list(rows.map { row(catalogue.entry(atPosition: $0)) })),
        ])
    }

    private func row(_ entry: CatalogueEntry) -> JSON {
        .list([
            .text(entry.key.text), .text(entry.name), .whole(entry.pixels?.width ?? 0),
            .whole(entry.pixels?.height ?? 0), .whole(entry.byteCount),
        ])
    }

    // MARK: - Sections

    /// The sections that begin in a range of rows: name, first row, number of rows.
    func sections(from first: Int, to end: Int) -> JSON {
        .list(
            spans(from: first, to: end).map {
                .list([.text($0.name), .whole($0.first), .whole($0.count)])
            })
    }

    private func spans(
        from first: Int, to end: Int
    ) -> [(name: String, first: Int, count: Int)] {
        var position = 0
        var spans: [(name: String, first: Int, count: Int)] = []
        for section in catalogue.sections {
            // One without rows stands where the next begins.
            if position >= first, position < end {
                let name = section.name.isEmpty ? title : section.name
                spans.append((name, position, section.rowCount))
            }
            position += section.rowCount
        }
        return spans
    }
}

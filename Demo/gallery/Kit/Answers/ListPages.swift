internal import GalleryCatalogue
internal import GalleryFiles
internal import ImageLoading
internal import ReplayText
internal import ScrollModel

/// The list in the parts in which a browser fetches it: the shapes of pictures, many at a time, and
/// names, some at a time.
struct ListPages {
    /// The maximum number of shapes in an answer.
    static let mostShapes = 20_000
    /// The maximum number of sections in an answer of shapes.
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

    /// Returns the aspect ratios of rows from `first` on in an order, in 1/64ths, and the sections
    /// that begin there.
    func list(by order: ListOrder, from first: Int) -> JSON {
        let count = catalogue.rowCount
        let first = min(max(0, first), count)
        let sections = spans(by: order, from: first, to: min(count, first + Self.mostShapes))
        // With many folders, fewer rows fit.
        let end =
            sections.count > Self.mostSections
            ? sections[Self.mostSections].first : min(count, first + Self.mostShapes)
        return .members([
            ("version", .whole(catalogue.version)), ("epoch", .text(epoch)),
            ("rows", .whole(count)),
            ("header", .whole(Int(ListArrangement.Flow.headerHeight))),
            ("row", .whole(Int(ListArrangement.Flow.rowHeight))),
            ("from", .whole(first)), ("next", end < count ? .whole(end) : .null),
            ("sections", json(sections.prefix(Self.mostSections))),
            ("ratios", .digits(ratios(of: first..<end, by: order))),
            ("complete", .flag(catalogue.isComplete)),
        ])
    }

    /// Returns the aspect ratios of rows as a list.
    private func ratios(of rows: Range<Int>, by order: ListOrder) -> String {
        var text: [UInt8] = [UInt8(ascii: "[")]
        text.reserveCapacity(4 * rows.count + 2)
        catalogue.forEachRatio(at: rows, by: order) { ratio in
            if text.count > 1 { text.append(UInt8(ascii: ",")) }
            Self.append(ratio, to: &text)
        }
        text.append(UInt8(ascii: "]"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends a nonnegative number.
    private static func append(_ number: Int, to text: inout [UInt8]) {
        if number > 9 { append(number / 10, to: &text) }
        text.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Returns the keys, names, sizes and dates of some rows in an order.
    func rows(_ rows: Range<Int>, by order: ListOrder = .name) -> JSON {
        let rows = rows.clamped(to: 0..<catalogue.rowCount).prefix(Self.mostRows)
        return .members([
            ("version", .whole(catalogue.version)), ("from", .whole(rows.startIndex)),
            ("rows", .list(rows.map { row(catalogue.entry(atPosition: $0, by: order)) })),
        ])
    }

    private func row(_ entry: CatalogueEntry) -> JSON {
        .list([
            .text(entry.key.text), .text(entry.path.shownName), .whole(entry.pixels?.width ?? 0),
            .whole(entry.pixels?.height ?? 0), .whole(entry.byteCount),
            entry.taken.map { .whole($0) } ?? .null, .whole(entry.modified),
        ])
    }

    // MARK: - Sections

    /// Returns all sections, as ``list(by:from:)`` does; nil if that exceeds `limit` bytes.
    func sections(by order: ListOrder, within limit: Int) -> JSON? {
        let spans = spans(by: order, from: 0, to: .max)
        // A truncated name has at least 80 characters.
        let least = spans.reduce(0) { count, span in
            switch span.section {
            case .folder(let number):
                count + 8 + min(80, catalogue.sections[number].folder.bytes.count)
            case .month: count + 20
            }
        }
        guard least <= limit else { return nil }
        return json(spans[...])
    }

    /// Returns the name, first row and number of rows of each section; of a month also the number.
    private func json(_ spans: ArraySlice<Span>) -> JSON {
        .list(
            spans.map { span in
                let rows = [JSON.whole(span.first), .whole(span.count)]
                return switch span.section {
                case .folder(let number):
                    .list(
                        [.text(catalogue.shownName(ofSection: number, title: title))] + rows)
                case .month(let month):
                    .list([.text(month.name)] + rows + [.whole(month.number)])
                }
            })
    }

    /// A section with the position of its first row, and the number of its rows.
    private typealias Span = (section: SpanName, first: Int, count: Int)

    private enum SpanName {
        case folder(Int)
        case month(Month)
    }

    /// Returns the sections in an order that begin in a range of rows.
    private func spans(by order: ListOrder, from first: Int, to end: Int) -> [Span] {
        let sections: [(SpanName, rowCount: Int)] =
            switch order {
            case .name:
                catalogue.sections.enumerated().map { (.folder($0.offset), $0.element.rowCount) }
            case .date: catalogue.months.map { (.month($0.month), $0.rowCount) }
            }
        var position = 0
        var spans: [Span] = []
        for (name, rowCount) in sections {
            if position >= first, position < end { spans.append((name, position, rowCount)) }
            position += rowCount
        }
        return spans
    }
}

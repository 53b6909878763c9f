internal import GalleryCatalogue
internal import GalleryFiles
internal import ImageLoading
internal import Mustache
internal import ScrollModel

/// The list for browsers without scripts, and before the script runs, in pages of fixed length.
struct PlainPage {
    /// The number of rows on a page.
    static let length = 60

    private let catalogue: Catalogue
    private let title: String
    /// Whether it has the buttons for recordings and the live view.
    private let isAdmin: Bool
    /// The page's number, counted from 1.
    let number: Int

    /// Creates a page, counted from 1; a number out of range gives the nearest page.
    init(_ page: Int, of catalogue: Catalogue, title: String, isAdmin: Bool) {
        self.catalogue = catalogue
        self.title = title
        self.isAdmin = isAdmin
        number = max(1, min(page, Self.count(of: catalogue)))
    }

    /// The page as HTML.
    var text: String { Self.template.render(values) }

    private static func count(of catalogue: Catalogue) -> Int {
        max(1, (catalogue.layout.rowCount + length - 1) / length)
    }

    private static let template: MustacheTemplate = {
        let text = String(decoding: PackageResources.gallery_html, as: UTF8.self)
        guard let template = try? MustacheTemplate(string: text) else {
            preconditionFailure("the page is a template")
        }
        return template
    }()

    private var values: [String: Any] {
        let count = Self.count(of: catalogue)
        var values: [String: Any] = ["title": title, "sections": sections, "admin": isAdmin]
        if number > 1 { values["before"] = number - 1 }
        if number < count { values["after"] = number + 1 }
        if count > 1 {
            values["page"] = number
            values["count"] = count
        }
        return values
    }

    private var sections: [[String: Any]] {
        let list = catalogue.layout
        let first = (number - 1) * Self.length
        var sections: [(section: Int, rows: [[String: Any]])] = []
        for position in first..<min(list.rowCount, first + Self.length) {
            let section = list.row(atPosition: position).section
            if sections.last?.section != section { sections.append((section, [])) }
            sections[sections.count - 1].rows.append(row(catalogue.entry(atPosition: position)))
        }
        return sections.map { section, rows in
            ["name": catalogue.shownName(ofSection: section, title: title), "rows": rows]
        }
    }

    private func row(_ entry: CatalogueEntry) -> [String: Any] {
        let geometry = catalogue.geometry
        let targetSize = PixelSize(
            width: Int(geometry.targetWidth), height: Int(geometry.targetHeight))
        let shown = entry.pixels?.fitted(in: targetSize) ?? targetSize
        // Of a picture on a server, only the aspect ratio is known.
        let pixels = entry.byteCount > 0 ? entry.pixels : nil
        let facts = pixels.map { "\($0.width) × \($0.height)" } ?? ""
        return [
            "key": entry.key.text, "name": entry.path.shownName, "facts": facts,
            "width": shown.width,
            "height": shown.height,
        ]
    }
}

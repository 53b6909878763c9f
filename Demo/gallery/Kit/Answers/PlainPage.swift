internal import GalleryCatalogue
internal import GalleryFiles
internal import ImageLoading
internal import Mustache
internal import ScrollModel

/// The page for browsers without scripts, and for others before the script runs: a part of the list,
/// of fixed length, or one picture.
struct PlainPage {
    /// The number of rows on a page.
    static let length = 60
    /// The size that a row's picture is scaled down to fit, in px.
    private static let target = PixelSize(width: 224, height: 168)

    private let catalogue: Catalogue
    private let title: String
    /// The page's number, counted from 1.
    let number: Int
    /// The position of the picture that is shown; nil for the list.
    private let picture: Int?

    /// Creates a page from an address's query: `page`, counted from 1, or the picture `p`.
    ///
    /// A number out of range gives the nearest page, and a picture that doesn't exist the first.
    init(_ query: [String: String], of catalogue: Catalogue, title: String) {
        self.catalogue = catalogue
        self.title = title
        picture = query["p"].flatMap { PictureID(text: $0) }.flatMap {
            catalogue.position(of: $0, by: .name)
        }
        let page = picture.map { $0 / Self.length + 1 } ?? query["page"].flatMap { Int($0) } ?? 1
        number = max(1, min(page, Self.count(of: catalogue)))
    }

    /// The name of the page among those of a version of the list.
    var name: String { picture.map { "picture \($0)" } ?? "page \(number)" }

    /// The page as HTML.
    var text: String { Self.template.render(values) }

    private static func count(of catalogue: Catalogue) -> Int {
        max(1, (catalogue.rowCount + length - 1) / length)
    }

    private static let template: MustacheTemplate = {
        let text = String(decoding: PackageResources.gallery_html, as: UTF8.self)
        guard let template = try? MustacheTemplate(string: text) else {
            preconditionFailure("the page is a template")
        }
        return template
    }()

    private var values: [String: Any] {
        if let picture { return values(ofPicture: picture) }
        let count = Self.count(of: catalogue)
        var values: [String: Any] = [
            "title": title, "heading": title, "sections": sections,
        ]
        if number > 1 { values["before"] = number - 1 }
        if number < count { values["after"] = number + 1 }
        if count > 1 {
            values["page"] = number
            values["count"] = count
        }
        return values
    }

    private func values(ofPicture position: Int) -> [String: Any] {
        let entry = catalogue.entry(atPosition: position, by: .name)
        var picture = row(entry)
        picture["list"] = number
        func id(_ position: Int) -> String {
            catalogue.entry(atPosition: position, by: .name).key.id.text
        }
        if position > 0 { picture["previous"] = id(position - 1) }
        if position + 1 < catalogue.rowCount { picture["following"] = id(position + 1) }
        let heading = "\(entry.path.shownName) · \(title)"
        return ["title": title, "heading": heading, "picture": picture]
    }

    private var sections: [[String: Any]] {
        let list = catalogue.layout(by: .name)
        let first = (number - 1) * Self.length
        var sections: [(section: Int, rows: [[String: Any]])] = []
        for position in first..<min(list.rowCount, first + Self.length) {
            let section = list.row(atPosition: position).section
            if sections.last?.section != section { sections.append((section, [])) }
            let entry = catalogue.entry(atPosition: position, by: .name)
            sections[sections.count - 1].rows.append(row(entry))
        }
        return sections.map { section, rows in
            ["name": catalogue.shownName(ofSection: section, title: title), "rows": rows]
        }
    }

    private func row(_ entry: CatalogueEntry) -> [String: Any] {
        let shown = entry.pixels?.fitted(in: Self.target) ?? Self.target
        let facts = entry.pixels.map { "\($0.width) × \($0.height)" } ?? ""
        return [
            "key": entry.key.text, "id": entry.key.id.text, "name": entry.path.shownName,
            "facts": facts,
            "width": shown.width,
            "height": shown.height,
        ]
    }
}

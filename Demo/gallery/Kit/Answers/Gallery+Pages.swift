internal import GalleryFiles
internal import GalleryWeb

// The files that a browser needs to show the list.
extension Gallery {
    func answerPage(_ exchange: WebExchange) {
        let page = plainPage(exchange.query["page"].flatMap { Int($0) } ?? 1)
        let name = "page \(page.number)"
        reply(exchange, "text/html; charset=utf-8", named: name, cost: RequestCost.page) {
            Array(page.text.utf8)
        }
    }

    /// Returns a page for browsers without scripts, counted from 1.
    func plainPage(_ number: Int) -> PlainPage {
        PlainPage(number, of: catalogue, title: title)
    }

    func answerFile(_ exchange: WebExchange) {
        guard let file = Self.files[exchange.path] else { return exchange.notFound() }
        // Browsers must ask again each time, as the program may have been updated.
        guard exchange.header("If-None-Match") != Self.tag else {
            return exchange.reply(304, [("ETag", Self.tag)])
        }
        exchange.reply(
            200,
            [("Content-Type", file.type), ("ETag", Self.tag), ("Cache-Control", "no-cache")],
            file.bytes)
    }

    private static let tag = "\"\(HexNumber.random())\""

    private static let files: [String: (type: String, bytes: [UInt8])] = [
        "/gallery.css": ("text/css; charset=utf-8", PackageResources.gallery_css),
        "/lull": ("text/html; charset=utf-8", PackageResources.lull_html),
        "/lull.css": ("text/css; charset=utf-8", PackageResources.lull_css),
        "/icon.svg": ("image/svg+xml", PackageResources.icon_svg),
        "/scripts/chart.js": script(PackageResources.chart_js),
        "/scripts/connection.js": script(PackageResources.connection_js),
        "/scripts/early.js": script(PackageResources.early_js),
        "/scripts/gallery.js": script(PackageResources.gallery_js),
        "/scripts/input.js": script(PackageResources.input_js),
        "/scripts/keys.js": script(PackageResources.keys_js),
        "/scripts/list.js": script(PackageResources.list_js),
        "/scripts/live.js": script(PackageResources.live_js),
        "/scripts/names.js": script(PackageResources.names_js),
        "/scripts/pictures.js": script(PackageResources.pictures_js),
        "/scripts/recent.js": script(PackageResources.recent_js),
        "/scripts/reports.js": script(PackageResources.reports_js),
        "/scripts/row.js": script(PackageResources.row_js),
        "/scripts/start.js": script(PackageResources.start_js),
        "/scripts/story.js": script(PackageResources.story_js),
        "/scripts/tools.js": script(PackageResources.tools_js),
        "/scripts/view.js": script(PackageResources.view_js),
        "/scripts/viewer.js": script(PackageResources.viewer_js),
        "/scripts/words.js": script(PackageResources.words_js),
    ]

    private static func script(_ bytes: [UInt8]) -> (type: String, bytes: [UInt8]) {
        ("text/javascript; charset=utf-8", bytes)
    }
}

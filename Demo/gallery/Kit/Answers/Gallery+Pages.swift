internal import GalleryFiles
internal import GalleryWeb

// What browsers are given to show the list with.
extension Gallery {
    func answerPage(_ exchange: WebExchange) {
        let page = PlainPage(exchange.query["page"].flatMap { Int($0) } ?? 1, of: self)
        let name = "page \(page.number)"
        reply(exchange, "text/html; charset=utf-8", named: name, cost: RequestCost.page) {
            Array(page.text.utf8)
        }
    }

    func answerFile(_ exchange: WebExchange) {
        guard let file = Self.files[exchange.path] else { return exchange.notFound() }
        // The program may be another one tomorrow.
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
    ].merging(
        scripts.map { ("/scripts/\($0).js", ("text/javascript; charset=utf-8", $1)) }
    ) { old, _ in old }

    private static let scripts: [(name: String, bytes: [UInt8])] = [
        ("chart", PackageResources.chart_js),
        ("connection", PackageResources.connection_js),
        ("early", PackageResources.early_js),
        ("gallery", PackageResources.gallery_js),
        ("input", PackageResources.input_js),
        ("keys", PackageResources.keys_js),
        ("list", PackageResources.list_js),
        ("live", PackageResources.live_js),
        ("names", PackageResources.names_js),
        ("pictures", PackageResources.pictures_js),
        ("recent", PackageResources.recent_js),
        ("reports", PackageResources.reports_js),
        ("row", PackageResources.row_js),
        ("start", PackageResources.start_js),
        ("story", PackageResources.story_js),
        ("tools", PackageResources.tools_js),
        ("view", PackageResources.view_js),
        ("viewer", PackageResources.viewer_js),
        ("words", PackageResources.words_js),
    ]
}

internal import GalleryWeb

// What browsers are given to show the list with.
extension Gallery {
    func answerPage(_ exchange: WebExchange) {
        let page = exchange.query["page"].flatMap { Int($0) } ?? 1
        exchange.reply(
            200, [("Content-Type", "text/html; charset=utf-8")],
            PlainPage(page, of: self).text)
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

    private static let tag = "\"\(UInt64.random(in: 0 ... .max).hexadecimal)\""

    private static let files: [String: (type: String, bytes: [UInt8])] = [
        "/gallery.css": ("text/css; charset=utf-8", PackageResources.gallery_css),
        "/gallery.js": ("text/javascript; charset=utf-8", PackageResources.gallery_js),
        "/lull": ("text/html; charset=utf-8", PackageResources.lull_html),
        "/lull.css": ("text/css; charset=utf-8", PackageResources.lull_css),
        "/lull.js": ("text/javascript; charset=utf-8", PackageResources.lull_js),
        "/icon.svg": ("image/svg+xml", PackageResources.icon_svg),
    ]
}

internal import GalleryFiles

/// The files that a browser needs to show the list.
enum PageFiles {
    /// The version of all files, for this run of the program.
    static let tag = "\"\(HexNumber.random())\""

    /// The files by their paths.
    static let files: [String: (type: String, bytes: [UInt8])] = [
        "/gallery.css": ("text/css; charset=utf-8", PackageResources.gallery_css),
        "/icon.svg": ("image/svg+xml", PackageResources.icon_svg),
        "/scripts/connection.js": script(PackageResources.connection_js),
        "/scripts/early.js": script(PackageResources.early_js),
        "/scripts/gallery.js": script(PackageResources.gallery_js),
        "/scripts/input.js": script(PackageResources.input_js),
        "/scripts/keys.js": script(PackageResources.keys_js),
        "/scripts/list.js": script(PackageResources.list_js),
        "/scripts/names.js": script(PackageResources.names_js),
        "/scripts/nodes.js": script(PackageResources.nodes_js),
        "/scripts/pictures.js": script(PackageResources.pictures_js),
        "/scripts/recent.js": script(PackageResources.recent_js),
        "/scripts/reports.js": script(PackageResources.reports_js),
        "/scripts/row.js": script(PackageResources.row_js),
        "/scripts/scrubber.js": script(PackageResources.scrubber_js),
        "/scripts/settings.js": script(PackageResources.settings_js),
        "/scripts/start.js": script(PackageResources.start_js),
        "/scripts/tools.js": script(PackageResources.tools_js),
        "/scripts/view.js": script(PackageResources.view_js),
        "/scripts/viewer.js": script(PackageResources.viewer_js),
        "/scripts/words.js": script(PackageResources.words_js),
    ]

    private static func script(_ bytes: [UInt8]) -> (type: String, bytes: [UInt8]) {
        ("text/javascript; charset=utf-8", bytes)
    }
}

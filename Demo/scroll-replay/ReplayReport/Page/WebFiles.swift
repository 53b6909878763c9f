/// The files of the folder `web`, which are built into the program.
enum WebFiles {
    /// The page's skeleton, in Mustache; every value is escaped before it comes there.
    static let template = text(PackageResources.report_html)
    /// The page's style: Okabe and Ito's colours, in light and dark.
    static let style = text(PackageResources.report_css)
    /// The page's script, in its parts.
    static let script =
        "(() => {\n'use strict';\n"
        + [
            PackageResources.data_js, PackageResources.story_js, PackageResources.colours_js,
            PackageResources.drawing_js, PackageResources.strips_js, PackageResources.panels_js,
            PackageResources.hands_js,
        ]
        .map(text).joined(separator: "\n") + "\n})();"

    /// Returns the text of a file without the end of its last line.
    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.dropLast(), as: UTF8.self)
    }
}

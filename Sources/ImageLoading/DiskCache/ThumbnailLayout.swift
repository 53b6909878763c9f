/// The names that freedesktop's Thumbnail Managing Standard gives to thumbnails.
struct ThumbnailLayout: DiskCacheLayout {
    /// A thumbnail of a file, or the note that it gives none.
    struct Key: Hashable {
        /// The folder of a size, or ``ThumbnailLayout/failures``.
        let folder: String
        /// The name of the file there, ``FileURI/thumbnailName``.
        let name: String
    }

    /// The folder of failures: the name of the program, and the version of what it can read.
    static let failures = "fail/lull-1"

    let folders = ThumbnailSize.allCases.map(\.folder) + [failures]

    func path(of key: Key) -> String { "\(key.folder)/\(key.name)" }

    func isEntry(_ name: String) -> Bool { MD5.isName(name, suffix: ".png") }
}

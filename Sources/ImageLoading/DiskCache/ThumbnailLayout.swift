/// The names that freedesktop's Thumbnail Managing Standard gives to thumbnails.
struct ThumbnailLayout: DiskCacheLayout {
    /// A thumbnail of a file, or the note that it gives none.
    struct Key: Hashable {
        /// The folder of a size, or ``ThumbnailLayout/failures``.
        let folder: String
        let uri: FileURI
    }

    /// The folder of failures: the name of the program, and the version of what it can read.
    static let failures = "fail/lull-1"

    let folders = ThumbnailSize.allCases.map(\.folder) + [failures]

    func path(of key: Key) -> String { "\(key.folder)/\(key.uri.thumbnailName)" }

    func isEntry(_ name: String) -> Bool { MD5.isName(name, suffix: ".png") }
}

/// The names of thumbnails by freedesktop's Thumbnail Managing Standard.
struct ThumbnailLayout: DiskCacheLayout {
    /// The key of a thumbnail, or of a failure record.
    struct Key: Hashable {
        /// The directory of a size, or ``ThumbnailLayout/failures``.
        let folder: String
        /// The name of the file in that directory, ``FileURI/thumbnailName``.
        let name: String
    }

    /// The directory of failure records: the program's name, and the version of its set of formats.
    static let failures = "fail/lull-1"

    let folders = ThumbnailSize.allCases.map(\.folder) + [failures]

    func path(of key: Key) -> String { "\(key.folder)/\(key.name)" }

    func isEntry(_ name: String) -> Bool { MD5.isName(name, suffix: ".png") }
}

public import GalleryFiles

/// A reason why the catalogue is incomplete, or may be out of date.
///
/// Each kind is told once; that folders can't be read again when all of them could be meanwhile.
public enum CatalogueTrouble: Equatable, Sendable {
    /// There are more pictures than it shows.
    case tooManyPictures(limit: Int)
    /// There are more folders than it looks into.
    case tooManyFolders(limit: Int)
    /// There are folders deeper than it looks.
    case tooDeep(limit: Int)
    /// The system doesn't tell of all changes: the folders are looked through each minute instead.
    case cannotWatch(FileError)
    /// A folder couldn't be read; it's tried again, and what was known of it stays.
    case cannotList(FilePath, FileError)
    /// A folder may not be read: it's taken for empty until it may.
    case mayNotList(FilePath, FileError)

    /// The kind, by number.
    var kind: Int {
        switch self {
        case .tooManyPictures: 0
        case .tooManyFolders: 1
        case .tooDeep: 2
        case .cannotWatch: 3
        case .cannotList: 4
        case .mayNotList: 5
        }
    }
}

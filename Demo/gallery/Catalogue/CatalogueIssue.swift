public import GalleryFiles

/// A reason why the catalogue is incomplete, or may be out of date.
///
/// Each kind is reported once; that folders can't be read is reported again after all of them could
/// be read.
public enum CatalogueIssue: Equatable, Sendable {
    /// There are more pictures than the limit.
    case tooManyPictures(limit: Int)
    /// There are more folders than the limit.
    case tooManyFolders(limit: Int)
    /// There are folders below the maximum depth.
    case tooDeep(limit: Int)
    /// Not all folders can be watched; they are scanned each minute instead.
    case cannotWatch(FileError)
    /// A folder couldn't be read; it is retried, and its known content stays.
    case cannotList(FilePath, FileError)
    /// A folder may not be read; it counts as empty until it may.
    case mayNotList(FilePath, FileError)

    /// The number of the kind.
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

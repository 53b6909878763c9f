/// The name of a watch on a folder, as events bear it; none is given twice.
public struct FolderWatch: Hashable, Sendable {
    let number: Int32
}

/// An event of a watched folder.
public enum FolderEvent: Hashable, Sendable {
    /// Something in the folder came, went, moved, or was changed: what has this name.
    case changed(FolderWatch, name: [UInt8])
    /// The folder itself moved, or was changed.
    case moved(FolderWatch)
    /// The watch is over: the folder is gone, or nobody wanted it any more.
    case ended(FolderWatch)
    /// There was more than the system kept: anything may have changed anywhere.
    case lost
}

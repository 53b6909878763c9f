/// The identifier of a watch on a folder, which is never reused.
public struct FolderWatch: Hashable, Sendable {
    let number: Int32
}

/// An event of a watched folder.
public enum FolderEvent: Hashable, Sendable {
    /// Something with this name in the folder was created, removed, moved or changed.
    case changed(FolderWatch, name: [UInt8])
    /// The folder itself was moved or changed.
    case moved(FolderWatch)
    /// The watch has ended: the folder was removed, or the watch was.
    case ended(FolderWatch)
    /// The system has lost events: anything may have changed.
    case lost
}

/// An entry of a folder.
public struct FolderEntry: Hashable, Sendable {
    /// The kind of an entry.
    public enum Kind: Sendable {
        /// A regular file.
        case regular
        /// A folder.
        case folder
        /// A symbolic link, possibly broken.
        case link
        /// A device, a pipe, a socket.
        case other
        /// Unknown; some file systems don't report it.
        case unknown
    }

    /// The bytes of the name, which needn't be text in any encoding.
    public let name: [UInt8]
    /// The kind of file.
    public let kind: Kind
    /// The inode number in the folder's file system.
    public let inode: UInt64
}

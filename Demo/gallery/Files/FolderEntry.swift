/// A name in a folder, and what the folder says of it.
public struct FolderEntry: Hashable, Sendable {
    /// An entry of a folder.
    public enum Kind: Sendable {
        /// A file with bytes in it.
        case regular
        /// A folder.
        case folder
        /// A link to something, or to nothing.
        case link
        /// A device, a pipe, a socket.
        case other
        /// Some file systems don't say.
        case unknown
    }

    /// The bytes of the name, which needn't be text in any encoding.
    public let name: [UInt8]
    /// The kind of file that it stands for.
    public let kind: Kind
    /// The number by which the folder's file system knows it.
    public let inode: UInt64
}

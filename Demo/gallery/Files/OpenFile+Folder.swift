internal import CGallery
internal import Glibc

// What a folder has in it.
extension OpenFile {
    /// Calls `body` with each name in the folder but its own and its parent's, in no order, until
    /// that says it's enough.
    ///
    /// - Throws: What the system says: `ENOTDIR` for what is no folder.
    public func forEachEntry(_ body: (FolderEntry) -> Bool) throws(FileError) {
        let dot = UInt8(ascii: ".")
        var stream = try FolderStream(of: descriptor)
        while let entry = try stream.next() {
            if entry.name == [dot] || entry.name == [dot, dot] { continue }
            guard body(entry) else { return }
        }
    }

    /// Returns the facts of a file in the folder; a link isn't followed.
    ///
    /// - Throws: What the system says, or `ENOENT` for what is no name.
    public func facts(of name: [UInt8]) throws(FileError) -> FileFacts {
        guard FilePath.root.appending(name) != nil else {
            throw .system(call: "openat2", errno: ENOENT)
        }
        return try OpenFile(beneath: descriptor, name, gallery_path_only | O_NOFOLLOW).facts
    }
}

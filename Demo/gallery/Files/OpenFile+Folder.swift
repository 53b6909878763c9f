internal import CGallery
internal import Glibc

// The content of a folder.
extension OpenFile {
    /// Calls `body` with each entry of the folder except `.` and `..`, in no order, until it
    /// returns false.
    ///
    /// - Throws: The system's error: `ENOTDIR` if it isn't a folder.
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
    /// - Throws: The system's error, or `ENOENT` if the name isn't valid.
    public func facts(of name: [UInt8]) throws(FileError) -> FileFacts {
        guard FilePath.root.appending(name) != nil else {
            throw .system(call: "openat2", errno: ENOENT)
        }
        return try OpenFile(beneath: descriptor, name, gallery_path_only | O_NOFOLLOW).facts
    }
}

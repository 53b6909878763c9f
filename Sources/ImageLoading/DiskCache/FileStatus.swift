import Glibc

/// What a sweep wants to know of a file.
package struct FileStatus {
    package let bytes: Int
    /// When the file was last written.
    package let lastChange: FileTime
    /// When it was last read or written, as far as that was noted.
    package let lastUse: FileTime

    /// The status of a regular file in a folder that is open, or under a path; nil if there is none.
    package init?(of name: String, in folder: Int32 = AT_FDCWD) {
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        bytes = status.st_size
        lastChange = FileTime(
            seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
        let lastRead = FileTime(
            seconds: status.st_atim.tv_sec, nanoseconds: status.st_atim.tv_nsec)
        lastUse = max(lastChange, lastRead)
    }
}

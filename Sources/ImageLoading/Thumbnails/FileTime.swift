/// An instant by which files are put in order.
struct FileTime: Hashable, Comparable {
    var seconds: Int
    var nanoseconds: Int

    static func < (one: FileTime, other: FileTime) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }
}

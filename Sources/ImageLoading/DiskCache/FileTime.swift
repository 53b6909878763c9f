/// An instant by which files are put in order.
package struct FileTime: Hashable, Comparable {
    package var seconds: Int
    package var nanoseconds: Int

    package static func < (one: FileTime, other: FileTime) -> Bool {
        (one.seconds, one.nanoseconds) < (other.seconds, other.nanoseconds)
    }
}

internal import CGallery
internal import Glibc

/// The watches on folders, with one descriptor for all of them (inotify).
///
/// Watches may be added on any thread; events are read on one.
///
/// ```swift
/// let watches = try FolderWatches()
/// let watch = try watches.watch(folder)
/// try loop.watch(watches.descriptor, for: .readable) { _ in handle(watches.events()) }
/// ```
public final class FolderWatches: Sendable {
    private let owner: FileDescriptor

    /// The descriptor that is readable when there are events.
    public var descriptor: Int32 { owner.number }

    /// Creates an empty set of watches.
    ///
    /// - Throws: The system's error, such as that the user has too many inotify instances.
    public init() throws(FileError) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw .system(call: "inotify_init1", errno: errno) }
        owner = FileDescriptor(owning: descriptor)
    }

    /// Watches a folder; returns the existing watch if it is watched already.
    ///
    /// The watch is on the folder that was opened, whatever its name refers to by now.
    ///
    /// - Throws: The system's error: `ENOSPC` when the user has too many watches.
    public func watch(_ folder: borrowing OpenFile) throws(FileError) -> FolderWatch {
        let what =
            IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB
            | IN_DELETE_SELF | IN_MOVE_SELF
        // That path is a link to the open folder and must be followed; it leads nowhere else.
        let name = "/proc/self/fd/\(folder.descriptor)"
        let number = unsafe inotify_add_watch(
            descriptor, name, UInt32(what) | UInt32(IN_ONLYDIR))
        guard number >= 0 else { throw .system(call: "inotify_add_watch", errno: errno) }
        return FolderWatch(number: number)
    }

    /// Ends a watch; only this is reported of the folder from now on.
    public func end(_ watch: FolderWatch) {
        inotify_rm_watch(descriptor, watch.number)
    }

    /// Returns the events since the last call, at most 16 KB; the descriptor stays readable for the
    /// rest.
    ///
    /// Consecutive events about the same name are reported once.
    public func events() -> [FolderEvent] {
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = unsafe bytes.withUnsafeMutableBytes { room in
            unsafe read(descriptor, room.baseAddress, room.count)
        }
        var events: [FolderEvent] = []
        var next = 0
        while next + Self.head <= count {
            let (event, length) = Self.event(bytes, at: next)
            if event != events.last { events.append(event) }
            next += Self.head + length
        }
        return events
    }

    /// The number of bytes before an event's name.
    private static let head = MemoryLayout<inotify_event>.size

    private static func event(_ buffer: [UInt8], at place: Int) -> (FolderEvent, length: Int) {
        let bytes = unsafe buffer.span.bytes
        let number = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: Int32.self)
        let mask = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        let length = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place + 12, as: UInt32.self)
        let watch = FolderWatch(number: number)
        let start = place + head
        // The name is padded with zeros.
        let name = buffer[start..<start + Int(length)].prefix { $0 != 0 }
        let event: FolderEvent =
            if mask & UInt32(IN_Q_OVERFLOW) != 0 {
                .lost
            } else if mask & UInt32(IN_IGNORED) != 0 {
                .ended(watch)
            } else if name.isEmpty {
                .moved(watch)
            } else {
                .changed(watch, name: Array(name))
            }
        return (event, Int(length))
    }
}

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

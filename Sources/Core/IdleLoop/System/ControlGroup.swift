internal import LullLibC

/// The memory pressure of the process's control group, in version 2 of the kernel's interface.
struct ControlGroup {
    /// The files that report it; none if the process has no such group.
    let pressureFiles: [String]

    /// Looks for the control group of this process, below `root` in tests.
    init(root: String = "") {
        let text = fileText("\(root)/proc/self/cgroup") ?? ""
        let group = text.split(separator: "\n").first { $0.hasPrefix("0::/") }?.dropFirst(3)
        pressureFiles =
            group.map { group in
                ["", "/unified"].map {
                    "\(root)/sys/fs/cgroup\($0)\(group == "/" ? "" : group)/memory.pressure"
                }
            } ?? []
    }
}

/// Returns the content of a file; nil if it can't be opened.
func fileText(_ path: String) -> String? {
    let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var text = ""
    while let part = descriptorText(file, from: text.utf8.count), !part.isEmpty { text += part }
    return text
}

/// Returns the content of an open file from an offset, at most 4 KiB; nil if it can't be read.
func descriptorText(_ descriptor: Int32, from offset: Int = 0) -> String? {
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { room in
        let count = unsafe pread(descriptor, room.baseAddress, room.count, offset)
        guard count >= 0 else { return nil }
        return unsafe String(decoding: room[..<count], as: UTF8.self)
    }
}

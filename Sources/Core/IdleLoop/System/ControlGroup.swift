internal import LullLibC

/// The memory limits and memory pressure of the process's control group.
///
/// Both versions of the kernel's interface are supported: the files of version 2 are below one
/// folder, those of version 1 below one folder for each resource.
package struct ControlGroup {
    /// A prefix of each path, so that tests can use folders of their own.
    private let root: String
    /// The group's path by resource; that of version 2 is under "".
    private var paths: [Substring: Substring] = [:]

    /// Reads the control group of this process.
    package init(root: String = "") {
        self.root = root
        let text = fileText("\(root)/proc/self/cgroup") ?? ""
        for line in text.split(separator: "\n") {
            // number:resources:path, and the path may have colons.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            for resource in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
                paths[resource] = parts[2]
            }
        }
    }

    /// The files that report the group's memory pressure; empty without version 2.
    var pressureFiles: [String] {
        guard let path = paths[""] else { return [] }
        return ["", "/unified"].map {
            "\(root)/sys/fs/cgroup\($0)\(Self.below(path))/memory.pressure"
        }
    }

    /// The memory limit in bytes, the lowest of the group and its ancestors; nil if there is none.
    package var memoryLimit: Int? {
        let files =
            folders(paths[""], below: "/sys/fs/cgroup").map { "\($0)/memory.max" }
            + folders(paths["memory"], below: "/sys/fs/cgroup/memory").map {
                "\($0)/memory.limit_in_bytes"
            }
        return files.compactMap { fileText($0) }.compactMap { text in
            Int(text.prefix { $0 != "\n" }).flatMap { $0 > 0 && $0 < 1 << 60 ? $0 : nil }
        }.min()
    }

    /// Returns the folders of a path and of its ancestors.
    ///
    /// In a container the path may be one of the host's, and then only the topmost folder exists.
    private func folders(_ path: Substring?, below mount: String) -> [String] {
        guard let path else { return [] }
        var folder = Self.below(path)
        var folders = ["\(root)\(mount)\(folder)"]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            folders.append("\(root)\(mount)\(folder)")
        }
        return folders
    }

    private static func below(_ path: Substring) -> Substring { path == "/" ? "" : path }
}

/// Returns the machine's memory in bytes.
package func machineMemory() -> Int {
    let pages = sysconf(Int32(_SC_PHYS_PAGES))
    let size = sysconf(Int32(_SC_PAGESIZE))
    return pages > 0 && size > 0 ? pages * size : .max
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

import Glibc

/// How many of the process's descriptors are open on a file.
public func openDescriptors(of path: String) -> Int {
    descriptors().count { descriptor in
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { room in
            let count = unsafe readlink("/proc/self/fd/\(descriptor)", room.baseAddress!, 4096)
            guard count > 0 else { return false }
            let bytes = unsafe room.prefix(count).map { UInt8(truncatingIfNeeded: $0) }
            return bytes == Array(path.utf8)
        }
    }
}

/// The names of all descriptors; those that other threads open meanwhile may be missing.
private func descriptors() -> [String] {
    guard let folder = unsafe opendir("/proc/self/fd") else { return [] }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
        unsafe names.append(
            withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            })
    }
    return names
}

import Glibc

@testable import GalleryPictures

/// What the process has: bytes in memory, and descriptors.
struct Holdings {
    let memory: Int
    let descriptors: Int

    init() {
        let text = String(decoding: TestFolder.read("/proc/self/statm"), as: UTF8.self)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        memory = pages * 4096
        descriptors = TestFolder.names(in: "/proc/self/fd").count
    }
}

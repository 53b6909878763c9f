import Foundation

@testable import GalleryPictures

/// What the process has: bytes in memory, and descriptors.
struct ProcessUsage {
    let memory: Int
    let descriptors: Int

    /// Whether a sanitizer looks on: then memory isn't what it otherwise is.
    static var isSanitized: Bool {
        unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
    }

    init() {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        memory = pages * 4096
        descriptors = TestFolder.names(in: "/proc/self/fd").count
    }
}

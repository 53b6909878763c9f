import Foundation
import GalleryTestSupport
import Synchronization

/// A thread that replaces, shortens and rewrites a file until it's stopped.
final class FileRewriter: Sendable {
    private let isStopped = Atomic(false)
    private let hasEnded = Atomic(false)

    init(_ path: String, _ contents: [[UInt8]]) {
        TemporaryFolder.write(contents[0], to: path)
        Thread.detachNewThread { [self] in
            var round = 0
            while !isStopped.load(ordering: .acquiring) {
                round += 1
                let bytes = contents[round % contents.count]
                switch round % 3 {
                case 0: TemporaryFolder.write(bytes, to: path)
                case 1: unsafe truncate(path, 100)
                default:
                    TemporaryFolder.write(bytes, to: "\(path).next")
                    unsafe rename("\(path).next", path)
                }
            }
            hasEnded.store(true, ordering: .releasing)
        }
    }

    /// Waits for the thread.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        while !hasEnded.load(ordering: .acquiring) { sched_yield() }
    }
}

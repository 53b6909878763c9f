import Foundation
import Synchronization

/// A thread of a test's own.
final class Started: Sendable {
    private let end = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        let end = end
        Thread.detachNewThread {
            body()
            end.signal()
        }
    }

    /// Waits until it has returned.
    func wait() {
        end.wait()
    }
}

import Synchronization

@testable import ImageLoading

/// What is read of files, in whatever way, while something is done.
final class Reads: Sendable {
    private let list = Mutex<[Range<Int>]>([])
    private let onRead: @Sendable (Int) -> Void

    /// A list of reads; `onRead` is told the number of each, from 1 on, before it's done.
    init(_ onRead: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.onRead = onRead
    }

    /// The parts of files that were read, in order.
    var all: [Range<Int>] { list.withLock { $0 } }

    /// How many bytes they have.
    var bytes: Int { all.reduce(0) { $0 + $1.count } }

    /// Does something and watches.
    func watch<T>(_ body: () throws -> T) rethrows -> T {
        let note: @Sendable (Range<Int>) -> Void = { [self] range in
            let count = list.withLock { list in
                list.append(range)
                return list.count
            }
            onRead(count)
        }
        return try OpenedFile.$onRead.withValue(note, operation: body)
    }
}

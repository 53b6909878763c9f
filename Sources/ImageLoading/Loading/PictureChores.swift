internal import IdleLoop

/// What can wait until a loop has nothing better to do: pictures to be stored, headers to be read,
/// memory to be given back.
final class PictureChores {
    private let queue: IdleQueue<String>
    private var paths: [String] = []
    private var known: Set<String> = []
    private let readHeader: (String) -> Void

    /// How many headers may wait to be read.
    private static let capacity = 512

    init(on loop: MainLoop, readingHeaders readHeader: @escaping (String) -> Void) {
        var configuration = QueueConfiguration()
        configuration.name = "picture chores"
        configuration.limit = 64
        configuration.overflow = .dropOldest
        queue = IdleQueue(on: loop, configuration: configuration)
        self.readHeader = readHeader
    }

    var isEmpty: Bool { queue.isEmpty }

    func close() {
        queue.close()
    }

    /// Has a picture stored, a slice at a time.
    ///
    /// One that is being stored already is stored anew.
    func write(_ path: String, with writer: any ThumbnailWriter) {
        queue.cancel("store \(path)")
        queue.submit("store \(path)", priority: .lowest) { slot in
            repeat {
                if try writer.step() { return .done }
            } while !slot.isOver
            return .again
        }
    }

    /// Has a file's header read, as somebody would like to know what it costs.
    func read(_ path: String) {
        guard known.count < Self.capacity, known.insert(path).inserted else { return }
        paths.append(path)
        guard !queue.contains("headers") else { return }
        queue.submit("headers", priority: .low) { [weak self] slot in
            guard let self else { return .done }
            repeat {
                guard let path = paths.popLast() else { return .done }
                known.remove(path)
                readHeader(path)
            } while !slot.isOver
            return paths.isEmpty ? .done : .again
        }
    }

    /// Has what was freed given back to the system, once, in a lull that is long enough.
    func giveMemoryBack() {
        queue.submit("memory", priority: .normal, kind: "malloc_trim") { _ in
            returnFreedMemory()
            return .done
        }
    }
}

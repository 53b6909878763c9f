internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryWeb
internal import Glibc
internal import IdleLoop

/// Downloads of the files themselves, which a worker reads in parts as clients receive them.
final class Originals {
    /// The number of bytes that are read at a time.
    static let partBytes = 64 << 10

    /// An open file, and its length when it was opened.
    private final class OriginalFile: Sendable {
        let descriptor: FileDescriptor
        let byteCount: Int

        init(_ file: consuming OpenFile) {
            byteCount = file.facts.byteCount
            descriptor = FileDescriptor(owning: file.takeDescriptor())
        }

        /// Reads a part; nil if the file has become shorter or can't be read.
        func part(at offset: Int) -> [UInt8]? {
            let count = min(Originals.partBytes, byteCount - offset)
            var bytes = [UInt8](repeating: 0, count: count)
            return unsafe pread(descriptor.number, &bytes, count, offset) == count ? bytes : nil
        }
    }

    private let catalogue: Catalogue
    private let folder: PictureFolder
    private let limits: GalleryLimits
    private let queue: IdleQueue<Int>
    private let pool: WorkerPool
    /// The owners of the downloads in progress.
    private var owners: [Int: String] = [:]
    private var lastNumber = 0

    init(
        of catalogue: Catalogue, in folder: PictureFolder, limits: GalleryLimits, on loop: MainLoop
    ) throws(LoopError) {
        self.catalogue = catalogue
        self.folder = folder
        self.limits = limits
        // A slow disk must delay neither pictures nor listings, so downloads have their own worker.
        pool = try WorkerPool(width: 1, on: loop)
        var configuration = QueueConfiguration()
        configuration.name = "originals"
        configuration.limit = limits.downloads
        configuration.maxDeferral = .milliseconds(20)
        queue = IdleQueue(on: loop, configuration: configuration)
    }

    /// The number of downloads in progress.
    var count: Int { owners.count }

    func close() { queue.close() }

    /// Answers with a picture's file, under its own name.
    func answer(_ exchange: WebExchange, with key: PictureKey) {
        guard let entry = catalogue.entry(of: key.id), entry.key == key else {
            return exchange.reply(404, [], "there is no such file\n")
        }
        let owner = exchange.owner
        let own = owners.values.count { $0 == owner }
        guard count < limits.downloads, owner == "unix" || own < limits.downloadsPerAddress else {
            return exchange.reply(503, [("Retry-After", "5")], "too many are downloaded\n")
        }
        lastNumber += 1
        let number = lastNumber
        owners[number] = owner
        exchange.onEnd = { [weak self] in self?.end(number) }
        let (folder, path) = (folder, entry.path)
        let open: @Sendable () -> OriginalFile? = {
            guard let file = try? folder.open(path), file.facts.stamp == key.stamp,
                file.facts.kind == .regular
            else { return nil }
            return OriginalFile(file)
        }
        read(number, open) { [weak self, weak exchange] file in
            guard let self, let exchange else { return }
            guard let file else { return exchange.reply(404, [], "it's gone\n") }
            send(file, named: path.name, to: exchange, number)
        }
    }

    private func send(
        _ file: OriginalFile, named name: String, to exchange: WebExchange, _ number: Int
    ) {
        var offset = 0
        let headers = [
            ("Content-Type", FileName.type(of: name)), ("Cache-Control", "no-store"),
            ("Content-Disposition", FileName.disposition(of: name)),
        ]
        exchange.reply(200, headers, length: file.byteCount) { [weak self, weak exchange] give in
            let start = offset
            guard start < file.byteCount else { return give(nil) }
            offset = min(file.byteCount, start + Self.partBytes)
            self?.read(number) {
                file.part(at: start)
            } then: { part in
                if let part { give(part) } else { exchange?.abandon() }
            }
        }
    }

    /// Runs a download's next step on the worker, and takes its result in a lull.
    private func read<Output: Sendable>(
        _ number: Int, _ work: @escaping @Sendable () -> Output,
        then take: @escaping (Output) -> Void
    ) {
        guard owners[number] != nil else { return }
        queue.submit(number, on: pool, work: work) { output in
            { _ in
                take(output)
                return .done
            }
        }
    }

    private func end(_ number: Int) {
        owners[number] = nil
        queue.cancel(number)
    }
}

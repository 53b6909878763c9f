import DeferredLoading
import Foundation
import IdleLoop
import ImageLoading
import IsolatedDecoding
import Workloads

/// D7: a list's pictures are loaded while a frame of 4 ms comes 60 times a second.
final class ListLoading {
    /// Who decodes, and when.
    enum Way: String {
        case slices
        case helper
        case wholeJobs = "whole-jobs"
        case wholeInFrames = "whole-in-frames"
        case noPictures = "no-pictures"
    }

    private static let count = isQuick ? 100 : 500

    /// What the figures are about.
    static let variant = "\(count) mixed pictures"

    private let way: Way
    private let rows: [ListRow]
    private let loop: MainLoop
    private let watch = FrameWatch()
    private var loaded = 0
    private var failed = 0

    init(_ way: Way, _ pictures: TestPictures) throws {
        self.way = way
        rows = ListRow.mixed(Self.count, of: pictures)
        loop = try MainLoop()
    }

    func run() throws {
        let start = now()
        switch way {
        case .slices: try load()
        case .helper:
            let helper = try Isolation.decoder(on: loop)
            try load(decoding: .helper(helper))
            helper.close()
        case .wholeJobs: try loadInJobs()
        case .wholeInFrames: try loadInFrames()
        case .noPictures: try loadNothing()
        }
        let seconds = Double(now() - start) / 1e9
        loop.close()
        setContender(way.rawValue)
        watch.report()
        guard way != .noPictures else { return }
        report("D7", Self.variant, "load_s", seconds)
        report("D7", Self.variant, "loaded", Double(loaded))
        if failed > 0 { report("D7", Self.variant, "failed", Double(failed)) }
    }

    /// Runs frames until there are no more to come.
    private func play(_ body: @escaping () -> Bool) throws {
        let tolerance = Duration.milliseconds(FrameWatch.allowance)
        let frames = loop.frames(every: .nanoseconds(16_666_667), tolerance: tolerance) {
            [self] frame in
            watch.handle(frame)
            if !body() { loop.stop() }
        }
        try loop.run()
        frames.cancel()
    }

    private static var waiting: QueueConfiguration {
        var configuration = QueueConfiguration()
        configuration.limit = 30
        return configuration
    }

    /// Loads the list as a program does, with a worker.
    private func load(decoding: PictureDecoding = .inProcess) throws {
        let folder = try linkedRows()
        defer { try? FileManager.default.removeItem(at: folder) }
        let requests = rows.indices.map {
            PictureRequest(folder.appending(path: "\($0)").path, fitting: ListRow.targetSize)
        }
        let queue = IdleQueue<PictureRequest>(on: loop, configuration: Self.waiting)
        let pool = try WorkerPool(width: 1, on: loop)
        let source = PictureSource(on: loop, pool: pool, decoding: decoding)
        let loader = DeferredLoader(
            queue: queue, pool: pool, source: WatchedSource(base: source, watch: watch))
        let list = loader.list { _, _ in }
        list.reconcile(with: requests.enumerated().map { Wanted($1, urgency: .near, rank: $0) })
        try play { requests.contains { !loader.state(of: $0).isSettled } }
        loaded = requests.count { loader.state(of: $0).value != nil }
        failed = requests.count - loaded
        list.close()
        loader.close()
        source.close()
        queue.close()
    }

    /// Makes a folder where each row has a file of its own, so that each is decoded.
    private func linkedRows() throws -> URL {
        let files = FileManager.default
        let folder = files.temporaryDirectory.appending(path: "bench-decode-\(getpid())")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        for (index, row) in rows.enumerated() {
            try files.createSymbolicLink(
                atPath: folder.appending(path: "\(index)").path, withDestinationPath: row.path)
        }
        return folder
    }

    private func loadInJobs() throws {
        let queue = IdleQueue<Int>(on: loop, configuration: Self.waiting)
        var next = 0
        func fill() {
            while next < rows.count, queue.hasRoom(for: .normal) {
                let row = next
                next += 1
                queue.submit(row, cost: rows[row].cost) { [self] _ in
                    load(rows[row])
                    return .done
                }
            }
        }
        let supply = loop.observe(.beforeIdle) { _ in fill() }
        try play { [self] in loaded + failed < rows.count }
        supply.cancel()
        queue.close()
    }

    private func loadInFrames() throws {
        var next = 0
        try play { [self] in
            load(rows[next])
            next += 1
            return next < rows.count
        }
    }

    private func loadNothing() throws {
        let end = now() + (isQuick ? 2_000_000_000 : 8_000_000_000)
        try play { now() < end }
    }

    private func load(_ row: ListRow) {
        watch.workBegins()
        if (try? row.decoder.decode()) == nil {
            failed += 1
        } else {
            loaded += 1
        }
    }
}

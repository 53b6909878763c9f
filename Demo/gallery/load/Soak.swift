internal import GalleryCatalogue
internal import GalleryFiles
internal import GalleryKit
internal import GalleryPictures
internal import Glibc
internal import IdleLoop
internal import LullTesting
internal import ReplayText
internal import ScrollModel

/// A gallery on virtual time with users who scroll it, while its pictures are being renamed.
final class Soak {
    let loop: MainLoop
    let gallery: Gallery
    /// The approximate time for which users look at the rows in view.
    let pause: Duration
    /// The violations found.
    private(set) var faults: [String] = []

    private let time = VirtualTime()
    private let path: String
    /// The bytes by which memory may grow: what is made ahead fills caches only by and by.
    private let caches: Int
    private var figures = LoadFigures()
    private var users: [VirtualSoakUser] = []
    private var samples: [SoakSample] = []
    private var renames = 0
    private var random: SeededGenerator

    /// The share of the time after which all users have come and caches are full.
    private static let settlingIn = 1.0 / 4

    init(
        of folder: PictureFolder, at path: String, cache: ThumbnailDiskCache?, makesAhead: Bool,
        step: Duration, users count: Int, pause: Duration, seed: UInt64
    ) throws {
        loop = try MainLoop(clock: .virtual(time))
        var limits = GalleryLimits()
        limits.pictureBytes = 4 << 20
        gallery = try Gallery(
            of: folder, cache: cache, on: loop, limits: limits, makesAhead: makesAhead)
        self.path = path
        caches = makesAhead ? 8 << 20 : 2 << 20
        self.pause = pause
        random = SeededGenerator(seed: seed)
        let time = time
        gallery.onPictureStep = { time.charge(step) }
        users = (0..<count).map { VirtualSoakUser($0, in: self, seed: seed) }
    }

    /// Records what a user has experienced.
    func note(_ event: LoadFigures.Event) { figures.note(event) }

    /// Runs for this duration.
    func run(for duration: Duration) throws(LoopError) {
        loop.schedule(after: duration) { [unowned self] in loop.stop() }
        loop.schedule(after: .seconds(2)) { [unowned self] in
            for user in users { user.open() }
            rename()
            sample(every: duration / 24)
        }
        try loop.run()
        check()
        for user in users { user.close() }
        gallery.close()
        loop.close()
    }

    // MARK: - Renaming

    /// Renames a picture, and back the next time.
    private func rename() {
        renames += 1
        let row = gallery.catalogue.rowCount / 2
        if gallery.catalogue.rowCount > row {
            let old = path + "/" + gallery.catalogue.entry(atPosition: row, by: .name).path.text
            unsafe Glibc.rename(
                old, old.hasSuffix(".x.png") ? String(old.dropLast(6)) : old + ".x.png")
        }
        let wait = Duration.random(60...180, of: .seconds(1), using: &random)
        loop.schedule(after: wait) { [unowned self] in rename() }
    }

    private func sample(every period: Duration) {
        samples.append(SoakSample(at: loop.clock.now, clients: gallery.clientCount))
        loop.schedule(after: period) { [unowned self] in sample(every: period) }
    }

    // MARK: - Results

    private func check() {
        let early = samples.dropFirst(Int(Double(samples.count) * Self.settlingIn))
        if let first = early.first, let last = early.last {
            if last.memory > first.memory + max(first.memory / 10, caches) {
                faults.append("memory grew from \(first.memory) to \(last.memory) bytes")
            }
        }
        // Files are open while pictures are made: what is left open is so in all samples.
        let half = early.count / 2
        if let first = early.prefix(half).map(\.descriptors).min(),
            let last = early.suffix(half).map(\.descriptors).min(), last > first + 2
        {
            faults.append("descriptors grew from \(first) to \(last)")
        }
        for (name, statistics) in loop.queueStatistics where !statistics.isConserved {
            faults.append("jobs of \(name) were lost: \(statistics)")
        }
        let now = loop.clock.now
        let starving = users.compactMap { $0.wait(at: now) }.filter { $0 > .seconds(5) }
        if !starving.isEmpty { faults.append("\(starving.count) people starve: \(starving)") }
        if figures.settled.users < users.count {
            faults.append("only \(figures.settled.users) people saw all")
        }
        if figures.failures > 0 { faults.append("\(figures.failures) reports were refused") }
    }

    /// The samples of memory and descriptors, and the users' measurements.
    var report: String {
        var lines = ["hours  clients  bytes in use  descriptors"]
        for sample in samples {
            lines.append(
                "\(decimals(sample.moment / .seconds(3600), 2))  \(sample.clients)  \(sample.memory)  \(sample.descriptors)"
            )
        }
        let all = figures.settled.all
        lines.append(
            "\(users.count) people, \(figures.visits) visits, \(figures.flings) flings, \(all.count) seen whole: after \(milliseconds(all.quantile(0.5), 2)) ms in the median, \(milliseconds(all.quantile(0.99), 2)) at the 99th of 100, \(milliseconds(all.worst, 2)) at worst; \(renames) renames, version \(gallery.catalogue.version)"
        )
        return lines.joined(separator: "\n")
    }
}

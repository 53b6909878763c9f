import GalleryCatalogue
import GalleryFiles
import IdleLoop
import ScrollModel

@testable import GalleryKit

/// A gallery on virtual time, of a folder of small pictures.
///
/// Pictures are called `0.png`, `1.png` and so on: the number of each is its row. All rows are 72 px
/// high, and the header above them 40.
final class GalleryBench {
    static let header = 40.0
    static let rowHeight = 72.0

    let time = VirtualTime()
    let loop: MainLoop
    let gallery: Gallery
    let files = PictureFiles()

    init(
        rows: Int = 100, limits: GalleryLimits = GalleryLimits(), title: String = "Pictures",
        _ fill: (PictureFiles) throws -> Void = { _ in }
    ) throws {
        loop = try MainLoop(clock: .virtual(time))
        gallery = try Gallery(
            of: files.folder(), title: title, on: loop, limits: limits)
        let time = time
        gallery.onPictureStep = { time.charge(.microseconds(300)) }
        for row in 0..<rows { try files.write("\(row).png") }
        try fill(files)
        try settle()
    }

    deinit {
        gallery.close()
        loop.close()
    }

    var now: Instant { time.now }

    /// Lets so much time pass.
    func run(for duration: Duration) throws {
        try loop.run(until: now.advanced(by: duration))
    }

    /// Lets time pass until the list has all that is there.
    func settle() throws {
        repeat {
            try run(for: .milliseconds(500))
        } while !gallery.catalogue.isComplete
    }

    /// The page that was opened at an address of its own.
    func client(at address: String) -> Client? {
        gallery.clients.all.first { $0.address == address }
    }

    /// What the picture of a row is known by now; nil if there is no such row.
    func key(_ row: Int) -> PictureKey? {
        guard row < gallery.catalogue.rowCount else { return nil }
        return gallery.catalogue.entry(atPosition: row).key
    }

    /// The page for browsers without scripts.
    func plainPage(_ number: Int) -> String {
        PlainPage(["page": "\(number)"], of: gallery.catalogue, title: gallery.title).text
    }

    /// How many small pictures were made.
    var made: Int { gallery.thumbnails.unused.made }

    /// Whether no queue has lost a job.
    var isConserved: Bool { loop.queueStatistics.allSatisfy { $0.1.isConserved } }
}

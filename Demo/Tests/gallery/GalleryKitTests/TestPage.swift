import GalleryCatalogue
import GalleryFiles
import IdleLoop
import ScrollModel

@testable import GalleryKit

/// A page of a gallery on virtual time, that takes down what it's told.
final class TestPage {
    struct Event: Equatable {
        let moment: Instant
        let name: String
        let data: String

        /// The rows that are told of.
        var rows: [Int] { TestStream.rows(in: data) }
    }

    private(set) var events: [Event] = []
    private(set) var offset = 0.0
    /// What it shows, or knows that it can't: pictures, by their names and stamps.
    private(set) var settled: Set<String> = []
    /// The height of its window: ten rows, unless it's said otherwise.
    let height: Double
    /// The time in ms that a picture takes to it.
    var delivery = 0
    /// The throughput of its link in kB/s; 0 if unknown.
    var throughput = 0.0
    let address: String
    private var page: DirectPage?
    private unowned let bench: GalleryBench

    init(of bench: GalleryBench, at address: String = "10.0.0.1", height: Double = 720) {
        self.bench = bench
        self.address = address
        self.height = height
        page = DirectPage(of: bench.gallery, at: address) { [unowned self] name, data in
            take(name, data)
        }
    }

    /// Whether the gallery had room for it, and it hasn't gone.
    var isOpen: Bool { page != nil }

    private func take(_ name: String, _ data: String) {
        let event = Event(moment: bench.now, name: name, data: data)
        events.append(event)
        guard name == "thumbs" || name == "failed" else { return }
        for row in event.rows {
            settled.insert(bench.gallery.catalogue.entry(atPosition: row).key.text)
        }
    }

    // MARK: - What it was told

    func events(_ name: String) -> [Event] { events.filter { $0.name == name } }

    /// The rows it was told of, in order.
    var rows: [Int] { events("thumbs").flatMap(\.rows) }

    func forget() { events = [] }

    /// The rows in the window.
    var view: Range<Int> {
        var viewport = Viewport(
            bench.gallery.catalogue.lines(of: ListArrangement()), height: height)
        viewport.scroll(to: offset)
        return viewport.visibleRows.bounds
    }

    /// The offset, within the list as it is now.
    var clamped: Double {
        var viewport = Viewport(
            bench.gallery.catalogue.lines(of: ListArrangement()), height: height)
        viewport.scroll(to: offset)
        return viewport.offset
    }

    /// Whether all rows in the window are there, or are known to give no picture.
    var isWhole: Bool {
        view.allSatisfy {
            settled.contains(bench.gallery.catalogue.entry(atPosition: $0).key.text)
        }
    }

    // MARK: - What it does

    private var milliseconds: Double { Double(bench.now.nanoseconds / 10_000) / 100 }

    /// Reports what has happened; gives the answer's status.
    @discardableResult
    func report(_ events: [String]) -> Int? {
        page?.report([
            "v": "\(bench.gallery.catalogue.version)", "h": "\(height)", "w": "\(delivery)",
            "b": "\(throughput)", "e": events.joined(separator: ";"),
        ])
    }

    @discardableResult
    func report(raw query: [String: String]) -> Int? { page?.report(query) }

    /// Shows the list at an offset, now; the report may come some ms late.
    func show(_ offset: Double, reportedAfter delay: Double = 0) {
        self.offset = offset
        report(["f,\(milliseconds - delay),\(offset)"])
    }

    /// A stroke upwards that leaves at so many px a second, and its flight to the end.
    func fling(at velocity: Double) throws {
        let start = milliseconds
        try bench.run(for: .milliseconds(100))
        let step = velocity / 120
        let strokes = (1...10).map { sample in
            "m,\(start + Double(sample) * 8),\(700 - step * Double(sample))"
        }
        report(["d,\(start),700,\(offset)"] + strokes + ["u,\(start + 88),\(700 - step * 11)"])
        offset += step * 10
        var viewport = Viewport(
            bench.gallery.catalogue.lines(of: ListArrangement()), height: height)
        viewport.scroll(to: offset)
        let fling = Scroller(.chromium).fling(
            from: offset, velocity: velocity,
            bounds: 0...viewport.maximumOffset, viewportHeight: height)
        let lift = bench.now
        while lift.duration(to: bench.now) < fling.duration {
            try bench.run(for: .milliseconds(50))
            offset = fling.offset(at: lift.duration(to: bench.now))
            show(offset)
        }
        try bench.run(for: .milliseconds(120))
        show(offset)
    }

    func fetch(_ key: String) -> Int? { page?.fetch(key) }

    func leave() {
        page?.leave()
        page = nil
    }

    func vanish() {
        page?.vanish()
        page = nil
    }
}

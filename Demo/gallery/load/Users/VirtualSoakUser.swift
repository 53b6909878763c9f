internal import GalleryCatalogue
internal import GalleryKit
internal import IdleLoop
internal import LullTesting
internal import ScrollModel

/// A simulated user on virtual time, who flings, looks, leaves after a while, with or without
/// closing the page, and comes back.
final class VirtualSoakUser {
    private let number: Int
    private unowned let soak: Soak
    private var random: SeededGenerator
    private var page: DirectPage?
    private var scrolling: Scrolling
    private var version = -1
    private var flingsLeft = 0
    private var timer: LoopTimer?

    init(_ number: Int, in soak: Soak, seed: UInt64) {
        self.number = number
        self.soak = soak
        random = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
        scrolling = Scrolling(soak.gallery.catalogue.layout(by: .name))
    }

    /// Opens the page.
    func open() {
        flingsLeft = Int.random(in: 5...20, using: &random)
        openPage()
        guard page != nil else {
            soak.note(.refused)
            return later(.seconds(10)) { [weak self] in self?.open() }
        }
        soak.note(.visit)
        later(.random(0...1, of: soak.pause, using: &random)) { [weak self] in self?.fling() }
    }

    /// Closes the page.
    func close() {
        timer?.cancel()
        timer = nil
        page?.leave()
        page = nil
    }

    /// Returns the time for which it has waited for the rows in view; nil if it doesn't wait.
    func wait(at now: Instant) -> Duration? {
        scrolling.wait(at: now)
    }

    private func openPage() {
        var layout = soak.gallery.catalogue.layout(by: .name)
        try? layout.arrange(ListFacts.flow.lines)
        scrolling = Scrolling(layout)
        version = soak.gallery.catalogue.version
        page = DirectPage(of: soak.gallery, at: "127.0.\(number / 100).\(number % 100)") {
            [weak self] name, data in self?.take(name, data)
        }
    }

    private func take(_ name: String, _ data: String) {
        switch name {
        case "thumbs":
            for row in (try? PictureEvent(json: data.utf8))?.t ?? [] {
                _ = page?.fetch(row.text)
                scrolling.show(row.row)
            }
        case "failed":
            for row in (try? PictureEvent(json: data.utf8))?.f ?? [] { scrolling.show(row.row) }
        case "changed", "reload":
            // Opens a new page, as a page that has missed a change does.
            let page = page
            self.page = nil
            soak.loop.schedule(after: .zero) { page?.leave() }
            later(.milliseconds(100)) { [weak self] in
                self?.openPage()
                self?.later(.seconds(1)) { [weak self] in self?.fling() }
            }
        default: break
        }
        checkView()
    }

    private func fling() {
        scrolling.fling(at: soak.loop.clock.now, using: &random)
        tick()
    }

    private func tick() {
        report()
        guard !scrolling.isMoving else {
            return later(.milliseconds(50)) { [weak self] in self?.tick() }
        }
        soak.note(.fling)
        flingsLeft -= 1
        scrolling.beginWait()
        checkView()
    }

    private func report() {
        let events = scrolling.report(until: soak.loop.clock.now)
        guard !events.isEmpty, let page else { return }
        let status = page.report([
            "v": "\(version)", "f": "\(ListFacts.width)", "h": "800", "e": events,
        ])
        soak.note(.reported(.zero, isAccepted: status == 204))
    }

    private func checkView() {
        guard let wait = scrolling.endWait(at: soak.loop.clock.now) else { return }
        soak.note(.settled(wait, user: number))
        if flingsLeft > 0 {
            later(.random(0.5...1.5, of: soak.pause, using: &random)) { [weak self] in
                self?.fling()
            }
        } else {
            if Bool.random(using: &random) { page?.leave() } else { page?.vanish() }
            page = nil
            later(.random(5...60, of: .seconds(1), using: &random)) { [weak self] in self?.open() }
        }
    }

    private func later(_ delay: Duration, _ body: @escaping () -> Void) {
        timer?.cancel()
        timer = soak.loop.schedule(after: delay) { body() }
    }
}

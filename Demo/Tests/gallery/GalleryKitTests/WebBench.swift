import CGallery
import GalleryCatalogue
import GalleryFiles
import GalleryPictures
import GalleryWeb
import Glibc
import IdleLoop
import ImageLoading
import Testing

@testable import GalleryKit

/// A gallery behind its web server, both on a base that the test dispatches.
@safe final class WebBench {
    let gallery: Gallery
    let files: PictureFiles
    private let base: OpaquePointer
    let loop: MainLoop
    private(set) var server: WebServer!
    /// Whether its clients may see metrics.
    var showsMetrics = true
    private var port: UInt16 = 0

    /// A gallery of some files, whose list is there.
    convenience init(
        rows: Int = 3, limits change: (inout GalleryLimits) -> Void = { _ in },
        fill: (PictureFiles) throws -> Void = { _ in }
    ) throws {
        let files = PictureFiles()
        for row in 0..<rows { try files.write("\(row).png") }
        try fill(files)
        var limits = GalleryLimits()
        change(&limits)
        try self.init(of: files, limits: limits)
        #expect(turns { gallery.catalogue.isComplete && gallery.catalogue.version > 0 })
    }

    init(
        of files: PictureFiles, cache: ThumbnailDiskCache? = nil,
        limits: GalleryLimits = GalleryLimits()
    ) throws {
        self.files = files
        guard let base = unsafe event_base_new() else { preconditionFailure("a base can be made") }
        unsafe self.base = unsafe base
        let loop = try unsafe MainLoop(adopting: base)
        self.loop = loop
        let gallery = try Gallery(
            of: files.folder(), cache: cache, on: loop, limits: limits)
        self.gallery = gallery
        server = try unsafe WebServer(on: base) { [unowned self] in
            self.gallery.answer($0, showsMetrics: showsMetrics)
        }
        gallery.webStatistics = { [unowned self] in server.statistics }
        let bound = try server.listen(on: .tcp(host: "127.0.0.1", port: 0))
        if case .tcp(_, let port) = bound { self.port = UInt16(port) }
    }

    deinit {
        server.close()
        gallery.close()
        loop.close()
        unsafe event_base_free(base)
    }

    /// Turns until something holds; false if it doesn't in a great many.
    func turns(until isDone: () -> Bool) -> Bool {
        for _ in 0..<10_000 {
            if isDone() { return true }
            // So that a pass in which nothing happens ends, too.
            let timer = loop.schedule(after: .milliseconds(1)) {}
            unsafe event_base_loop(base, EVLOOP_ONCE)
            timer.cancel()
        }
        return false
    }

    /// What a GET is answered with.
    func ask(_ target: String) -> WebAnswer { answer("GET", target) }

    /// The answer to a HEAD.
    func head(_ target: String) -> WebAnswer { answer("HEAD", target) }

    /// What a POST is answered with.
    func post(_ target: String) -> WebAnswer { answer("POST", target) }

    private func answer(_ method: String, _ target: String) -> WebAnswer {
        let answer = begin(method, target)
        _ = turns { answer.isOver }
        return answer
    }

    /// A request whose answer goes on.
    func follow(_ target: String) -> WebAnswer { begin("GET", target) }

    private func begin(_ method: String, _ target: String) -> WebAnswer {
        let head =
            ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"]
        return WebAnswer(of: head.map { $0 + "\r\n" }.joined() + "\r\n", port: port)
    }
}

import CGallery
import GalleryFiles
import GalleryMetrics
import GalleryPictures
import GalleryWeb
import Glibc
import IdleLoop

@testable import GalleryKit

/// A gallery behind its web server, both on a base that the test dispatches.
@safe final class WebHouse {
    let gallery: Gallery
    private let base: OpaquePointer
    let loop: MainLoop
    private let server: WebServer
    private let port: UInt16

    init(
        of folder: PictureFolder, cache: ThumbnailDiskCache? = nil,
        limits: GalleryLimits = GalleryLimits()
    ) throws {
        guard let base = unsafe event_base_new() else { preconditionFailure("a base can be made") }
        unsafe self.base = unsafe base
        let loop = try unsafe MainLoop(adopting: base)
        self.loop = loop
        let gallery = try Gallery(of: folder, cache: cache, on: loop, limits: limits)
        self.gallery = gallery
        gallery.counters = GalleryCounters(PrometheusMetrics(), of: loop)
        server = try unsafe WebServer(on: base, handler: gallery.answer)
        let bound = try server.listen(on: .tcp(host: "127.0.0.1", port: 0))
        guard case .tcp(_, let port) = bound else { preconditionFailure("it's a TCP port") }
        self.port = UInt16(port)
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
        let head = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Connection: close"]
        return WebAnswer(of: head.map { $0 + "\r\n" }.joined() + "\r\n", port: port)
    }
}

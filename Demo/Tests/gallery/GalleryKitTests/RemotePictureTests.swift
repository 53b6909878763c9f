import GalleryCatalogue
import GalleryFiles
import GalleryPictures
import HTTPLoading
import IdleLoop
import ImageLoading
import TestServer
import TestSupport
import Testing

@testable import GalleryKit

/// Pictures on a server, which Internet shortcuts name, beside files.
struct RemotePictureTests {
    /// A server and a gallery on one loop, with a folder for what is kept.
    private final class Houses {
        let server: TestServer
        let web: WebBench
        let files = PictureFiles()
        let responses: HTTPCache

        init(
            _ addresses: HTTPLoaderConfiguration.Addresses = .any, freshness: Duration = .zero,
            cache: Folder
        ) throws {
            let responses = HTTPCache(in: cache.path + "/http")
            self.responses = responses
            var server: TestServer?
            var limits = GalleryLimits()
            limits.remoteFreshness = freshness
            web = try WebBench(
                of: files, cache: ThumbnailDiskCache(in: cache.path + "/thumbnails"), limits: limits
            ) { loop in
                server = try TestServer(on: loop)
                var configuration = HTTPLoaderConfiguration()
                configuration.addresses = addresses
                return HTTPLoader(
                    on: loop, configuration: configuration,
                    cache: responses)
            }
            self.server = try #require(server)
        }

        /// Writes a shortcut as Windows does.
        func link(_ name: String, to path: String) {
            let text = "[InternetShortcut]\r\nURL=\(server.url(path))\r\nIconIndex=0\r\n"
            files.write(Array(text.utf8), to: name)
        }

        func settle(rows: Int) -> Bool {
            web.turns { web.gallery.catalogue.isComplete && web.gallery.catalogue.rowCount == rows }
        }

        /// Waits until what the server said of a path is on disk.
        func isKept(_ path: String) -> Bool {
            web.turns { responses.find(server.url(path)) != nil }
        }

        func entry(_ row: Int) -> CatalogueEntry { web.gallery.catalogue.entry(atPosition: row) }

        func ask(_ row: Int) -> WebAnswer { web.ask("/thumbnails/" + entry(row).key.text) }

        /// The height of the picture that an answer has; nil if it has none.
        func height(_ answer: WebAnswer) throws -> Int? {
            guard answer.status == 200 else { return nil }
            return try PictureHeader.read(.bytes(answer.body), named: "").size.height
        }
    }

    @Test func `are shown beside files, and give their rows their shape`() throws {
        let cache = try Folder()
        let houses = try Houses(freshness: .seconds(300), cache: cache)
        let picture = try PictureFiles.picture(height: 120)
        houses.server.answer = { _ in
            [.send(TestServer.text("HTTP/1.1 200 OK", "", "")), .dribble(picture), .close]
        }
        try houses.files.write("0.png")
        houses.link("1.jpg.url", to: "/a")
        #expect(houses.settle(rows: 2))
        #expect(houses.entry(1).pixels == nil)
        let answer = houses.ask(1)
        #expect(try houses.height(answer) == 120)
        #expect(answer.header("cache-control") == "private, max-age=300")
        #expect(houses.web.turns { houses.entry(1).pixels == PixelSize(width: 8, height: 120) })
        var ratios: [Int] = []
        houses.web.gallery.catalogue.forEachRatio(at: 0..<2) { ratios.append($0) }
        #expect(ratios == [64, 4])
        let version = houses.web.gallery.catalogue.version
        let rows = houses.web.ask("/rows?v=\(version)&from=0&to=2").bodyText
        #expect(rows.contains(#""1.jpg",8,120,0,null,"#), "neither length nor end of the shortcut")
        #expect(try houses.height(houses.ask(0)) == 8)
        #expect(houses.server.requests.count == 1)
    }

    @Test func `fail with why, and are tried again when somebody looks after some time`() throws {
        let cache = try Folder()
        let houses = try Houses(cache: cache)
        var isThere = false
        houses.server.answer = { request in
            if isThere, let picture = try? PictureFiles.picture(height: 16) {
                return TestServer.reply(picture)
            }
            return request.path == "/gone"
                ? TestServer.reply("", status: "404 Gone") : TestServer.reply("<html>")
        }
        houses.link("0.URL", to: "/gone")
        houses.link("1.url", to: "/page")
        houses.files.write(Array("[InternetShortcut]".utf8), to: "2.url")
        houses.files.write(Array("URL=file:///etc/hostname\n".utf8), to: "3.url")
        houses.link("4.txt", to: "/text")
        #expect(houses.settle(rows: 4))
        #expect(houses.ask(0).status == 502)
        #expect(houses.ask(1).bodyText == "it's of a kind that isn't known\n")
        #expect(houses.ask(2).status == 422)
        #expect(houses.ask(3).status == 502)
        isThere = true
        #expect(try houses.height(houses.ask(0)) == 16)
        #expect(try houses.height(houses.ask(1)) == 16)
        #expect(houses.ask(2).status == 422)
    }

    @Test func `on private networks are left alone`() throws {
        let cache = try Folder()
        let houses = try Houses(.publicOnly, cache: cache)
        houses.link("0.url", to: "/a")
        #expect(houses.settle(rows: 1))
        #expect(houses.ask(0).bodyText == "it can't be had\n")
        #expect(houses.server.accepted == 0)
    }

    @Test func `are asked for anew after some time, and shown as they are then`() throws {
        let cache = try Folder()
        let houses = try Houses(cache: cache)
        var height = 16
        houses.server.answer = { request in
            let tag = "ETag: \"\(height)\""
            if request.head.contains("If-None-Match: \"\(height)\"") {
                return TestServer.reply([], status: "304 Not Modified", headers: [tag])
            }
            return (try? TestServer.reply(PictureFiles.picture(height: height), headers: [tag]))
                ?? []
        }
        houses.link("0.url", to: "/a")
        #expect(houses.settle(rows: 1))
        let key = houses.entry(0).key
        #expect(try houses.height(houses.ask(0)) == 16)
        #expect(houses.isKept("/a"))
        #expect(try houses.height(houses.ask(0)) == 16)
        height = 160
        #expect(try houses.height(houses.ask(0)) == 160)
        #expect(houses.web.turns { houses.entry(0).pixels == PixelSize(width: 8, height: 160) })
        #expect(houses.entry(0).key == key && houses.server.requests.count == 3)
        #expect(
            houses.server.requests.map { $0.head.contains("If-None-Match") } == [false, true, true])
        // What a server may change isn't kept as a thumbnail.
        let disk = ThumbnailDiskCache(in: cache.path + "/thumbnails")
        #expect(disk.find(ThumbnailKey(picture: key, size: .row)) == nil)
        houses.link("0.url", to: "/b")
        #expect(houses.web.turns { houses.entry(0).key != key })
        #expect(try houses.height(houses.ask(0)) == 160)
        #expect(houses.server.requests.last?.path == "/b")
    }

    @Test func `are not listed where there is no way to servers`() throws {
        let web = try WebBench(
            rows: 1, fill: { $0.write(Array("URL=http://a/".utf8), to: "1.url") })
        #expect(web.gallery.catalogue.rowCount == 1)
    }
}

import GalleryCatalogue
import GalleryFiles
import GalleryPictures
import GalleryWeb
import ImageLoading
import ScrollModel
import Testing

@testable import GalleryKit

/// What is answered to requests, over a real connection.
struct AnswerTests {
    private func key(_ web: WebBench, _ row: Int) -> String {
        web.gallery.catalogue.entry(atPosition: row).key.text
    }

    @Test func `each way leads somewhere, and no other does`() throws {
        let web = try WebBench()
        let version = web.gallery.catalogue.version
        for (target, type) in [
            ("/", "text/html; charset=utf-8"), ("/?page=2", "text/html; charset=utf-8"),
            ("/gallery.css", "text/css; charset=utf-8"),
            ("/scripts/view.js", "text/javascript; charset=utf-8"), ("/icon.svg", "image/svg+xml"),
            ("/list", "application/json"), ("/list?from=2", "application/json"),
            ("/rows?v=\(version)&from=0&to=3", "application/json"),
            ("/healthz", "text/plain; charset=utf-8"),
        ] {
            let answer = web.ask(target)
            #expect(answer.status == 200, "\(target)")
            #expect(answer.header("content-type") == type, "\(target)")
        }
        for target in [
            "/nothing", "/thumbnails", "/thumbnails/x/y", "/clients", "/clients/x/events",
            "/thumbnails/x", "/pictures/0", "/list/1", "/rows?id=0",
        ] {
            #expect(web.ask(target).status == 404, "\(target)")
        }
        #expect(web.ask("/rows?v=\(version + 1)&from=0&to=3").status == 409)
        for query in ["", "from=0", "from=-1&to=2", "from=2&to=1", "from=a&to=b"] {
            #expect(web.ask("/rows?v=\(version)&\(query)").status == 400, "\(query)")
        }
        let name = web.gallery.catalogue.entry(atPosition: 2).key.id.text
        #expect(web.ask("/rows?id=\(name)").bodyText == #"{"version":\#(version),"row":2}"#)
    }

    @Test func `every script that a page or another script names is there`() throws {
        let web = try WebBench()
        var scripts: Set<String> = []
        var pages = ["/"]
        while let page = pages.popLast() {
            let answer = web.ask(page)
            #expect(answer.status == 200, "\(page)")
            // As pages name them, and as scripts do that import another.
            let names =
                answer.bodyText.matches(of: #/"scripts/(\w+\.js)"/#).map(\.output.1)
                + answer.bodyText.matches(of: #/ from "\./(\w+\.js)"/#).map(\.output.1)
            for name in names where scripts.insert(String(name)).inserted {
                pages.append("/scripts/\(name)")
            }
        }
        #expect(scripts.count > 10)
        #expect(web.ask("/scripts/none.js").status == 404)
        // What the list needs is asked for at once, not script by script.
        let page = web.ask("/").bodyText
        #expect(scripts.allSatisfy { page.contains("\"scripts/\($0)\"") })
    }

    @Test func `a picture is answered when it's made, and may be kept`() throws {
        let web = try WebBench()
        for way in ["/thumbnails/", "/pictures/"] {
            let answer = web.ask(way + key(web, 1))
            #expect(answer.status == 200)
            #expect(answer.header("content-type") == "image/jpeg")
            #expect(
                answer.header("cache-control") == "private, max-age=31536000, immutable")
            #expect(
                answer.body.starts(with: [0xFF, 0xD8]) && answer.body.suffix(2) == [0xFF, 0xD9])
        }
        let old = key(web, 1)
        try web.files.write("1.png")
        #expect(web.turns { key(web, 1) != old })
        #expect(web.ask("/pictures/" + key(web, 1)).status == 200)
        // The first file's picture may still be in memory; the second's state never was.
        let stale = old.prefix(17) + "0123456789abcdef"
        #expect(web.ask("/thumbnails/" + stale).status == 404)
        #expect(web.gallery.requests.count == 0)
    }

    @Test func `what gives no picture is answered with why`() throws {
        let web = try WebBench(
            rows: 1,
            fill: { files in
                files.write([], to: "1.png")
                files.write(Array("no picture".utf8), to: "2.png")
            })
        for _ in 0..<2 {
            let answer = web.ask("/thumbnails/" + key(web, 1))
            #expect(answer.status == 422 && answer.bodyText == "its file is empty\n")
            #expect(answer.header("cache-control") == "no-store")
        }
        #expect(web.ask("/thumbnails/" + key(web, 2)).status == 422)
    }

    @Test func `a file is downloaded as it is, under its own name`() throws {
        let names = ["a b.png", "q\"uo\\te%41.png", "Zürich 写真.PNG"]
        let large = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let web = try WebBench(
            rows: 0,
            fill: { files in
                for name in names { files.write(large, to: name) }
            })
        for row in 0..<3 {
            let entry = web.gallery.catalogue.entry(atPosition: row)
            let answer = web.ask("/originals/" + entry.key.text)
            #expect(answer.status == 200 && answer.body == large)
            #expect(answer.header("content-type") == "image/png")
            #expect(answer.header("content-length") == "300000")
            let head = web.head("/originals/" + entry.key.text)
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.header("content-length") == "300000")
            #expect(
                answer.header("content-disposition")
                    == FileName.disposition(of: entry.path.name))
        }
        #expect(web.gallery.originals.count == 0)
        let old = key(web, 0)
        #expect(web.ask("/originals/" + old.prefix(17) + "0123456789abcdef").status == 404)
        web.files.write([1], to: web.gallery.catalogue.entry(atPosition: 0).path.name)
        // The catalogue may still have the old key.
        #expect(web.ask("/originals/" + old).status == 404)
        #expect(web.ask("/originals/x").status == 404)
    }

    @Test func `downloads are so many in all, and of one address`() throws {
        let large = [UInt8](repeating: 7, count: 10 << 20)
        let web = try WebBench(
            rows: 0, limits: { $0.downloadsPerAddress = 2 },
            fill: { files in files.write(large, to: "large.png") })
        let target = "/originals/" + key(web, 0)
        let first = [web.follow(target), web.follow(target)]
        #expect(web.turns { web.gallery.originals.count == 2 })
        let refused = web.ask(target)
        #expect(refused.status == 503 && refused.header("retry-after") == "5")
        #expect(web.turns { first.allSatisfy(\.isOver) })
        #expect(first.allSatisfy { $0.body.count == large.count })
        #expect(web.gallery.originals.count == 0)
    }

    @Test(arguments: [
        ("a b.png", "a b.png", "a%20b.png"),
        ("q\"uo\\te%41.png", "q_uo_te_41.png", "q%22uo%5Cte%2541.png"),
        ("ü\r\nX: y.png", "___X: y.png", "%C3%BC%0D%0AX%3A%20y.png"),
        ("'*;=.png", "'*;=.png", "%27%2A%3B%3D.png"),
    ])
    func `a name of a file is no other header's value`(
        name: String, plain: String, encoded: String
    ) {
        #expect(
            FileName.disposition(of: name)
                == "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)")
    }

    @Test func `a picture has a page of its own, without a script too`() throws {
        let web = try WebBench(rows: 70)
        func id(_ row: Int) -> String { String(key(web, row).prefix(16)) }
        let page = web.ask("/?p=\(id(61))").bodyText
        #expect(page.contains("<title>61.png · Gallery</title>"))
        #expect(page.contains("src=\"pictures/\(key(web, 61))\""))
        #expect(page.contains("href=\"originals/\(key(web, 61))\" download"))
        for target in ["?p=\(id(60))", "?p=\(id(62))", "?page=2"] {
            #expect(page.contains("href=\"\(target)\""), "\(target)")
        }
        #expect(!web.ask("/?p=\(id(0))").bodyText.contains("rel=\"prev\""))
        #expect(!web.ask("/?p=\(id(69))").bodyText.contains("rel=\"next\""))
        let list = web.ask("/").bodyText
        #expect(list.contains("href=\"?p=\(id(0))\"") && list.contains("<title>Gallery</title>"))
        for none in ["0123456789abcdef", "x", ""] {
            #expect(web.ask("/?p=\(none)").bodyText == list)
        }
    }

    @Test func `a damaged picture is shown, and its answer and the metrics say so`() throws {
        let whole = try PictureFiles.picture(height: 200)
        let web = try WebBench(
            rows: 0, fill: { $0.write(Array(whole.prefix(whole.count * 3 / 4)), to: "a.png") })
        let answer = web.ask("/pictures/" + key(web, 0))
        #expect(answer.status == 200)
        #expect(answer.header("picture-damage") == "its file breaks off")
        let lines = web.ask("/metrics").bodyText.split(separator: "\n")
        #expect(lines.contains("gallery_pictures_damaged_total 1"))
    }

    @Test func `what can't be kept is counted in the metrics`() throws {
        let cache = ThumbnailDiskCache.thumbnails(in: "/dev/null/cache")
        let web = try WebBench(of: PictureFiles(), cache: cache)
        var told = 0
        web.gallery.source.onDiskCacheFailure = { _ in told += 1 }
        #expect(web.turns { told > 0 })
        for _ in 0..<2 {
            let lines = web.ask("/metrics").bodyText.split(separator: "\n")
            #expect(lines.contains("gallery_cache_failures_total 1"))
        }
        #expect(told == 1)
    }

    @Test func `a page comes, is told and leaves`() throws {
        let web = try WebBench()
        let opened = web.post("/clients")
        #expect(opened.status == 201)
        let start = try #require(opened.bodyText.firstRange(of: #""client":""#)).upperBound
        let page = "/clients/" + opened.bodyText[start...].prefix(32)
        let version = web.gallery.catalogue.version
        let stream = web.follow(page + "/events")
        #expect(web.turns { stream.text.contains("event: hello") })
        #expect(stream.header("content-type")?.hasPrefix("text/event-stream") == true)
        #expect(web.post(page + "/reports?v=\(version)&h=720&e=f,0,0").status == 204)
        #expect(web.turns { stream.text.ranges(of: "event: thumbs").count == 3 })
        #expect(web.post(page + "/reports?v=x").status == 400)
        #expect(web.post(page + "/leave").status == 204)
        #expect(web.turns { stream.isOver } && web.gallery.clientCount == 0)
        for way in ["leave", "reports?v=1&h=1", "nothing"] {
            #expect(web.post("\(page)/\(way)").status == 404, "\(way)")
        }
        #expect(web.ask(page + "/events").status == 404)
    }

    @Test func `whoever has a network has what an address may have, once`() throws {
        let web = try WebBench(limits: { $0.clientsPerAddress = 1 })
        #expect(web.post("/clients").status == 201)
        // A page is counted by what all addresses of an IPv6 network of 64 bits have in common.
        #expect(web.gallery.clients.all.map(\.address) == [HexNumber.text(0xFFFF_7F00_0001)])
        #expect(web.post("/clients").status == 503)
    }

    @Test func `a page that comes with a report is told its first rows at once`() throws {
        func told(_ query: String) throws -> Bool {
            let web = try WebBench()
            let opened = web.post("/clients" + query)
            #expect(opened.status == 201)
            let start = try #require(opened.bodyText.firstRange(of: #""client":""#)).upperBound
            let id = String(opened.bodyText[start...].prefix(32))
            let stream = web.follow("/clients/\(id)/events")
            #expect(web.turns { stream.text.contains("event: hello") })
            // Without a height no row is in view.
            let isToldAll = { stream.text.ranges(of: "event: thumbs").count == 3 }
            let height = query.isEmpty ? 0.0 : 720
            #expect(web.gallery.clients[id]?.viewport?.height == height)
            return height > 0 ? web.turns(until: isToldAll) : isToldAll()
        }
        #expect(try told("?v=0&h=720"))
        #expect(try !told(""))
    }

    @Test func `a program that is about to end says so`() throws {
        let web = try WebBench()
        web.gallery.announceEnd()
        #expect(web.ask("/healthz").status == 503)
    }
}

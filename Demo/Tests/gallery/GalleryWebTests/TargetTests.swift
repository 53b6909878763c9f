import Testing

@testable import GalleryWeb

struct TargetTests {
    @Test(arguments: [
        "", "a", "*", "//", "//a", "/a//b", "/a/", "/.", "/..", "/a/../b", "/./a", "/%2e%2e/a",
        "/%2E", "/a%2fb", "/%", "/%4", "/%zz", "/%00", "/a%0ab", "/%7f", "/%ff", "/%c0%af", "/a#b",
        "/a?b=%0d", "/a?%", "/ü", "http://localhost/", "/a\\..%5c/..",
    ])
    func `a target that could be read in two ways is refused`(text: String) {
        #expect(throws: WebRefusal.target) { try RequestTarget(Array(text.utf8)) }
    }

    @Test func `a target is decoded once`() throws {
        let target = try RequestTarget(Array("/a%20b/%25%32%65/c+d?x=%2B1+2&x=no&y&=z&e=a=b".utf8))
        #expect(target.path == "/a b/%2e/c+d")
        #expect(target.query == ["x": "+1 2", "y": "", "": "z", "e": "a=b"])
        #expect(try RequestTarget(Array("/".utf8)).path == "/")
        #expect(try RequestTarget(Array("/%C3%BC".utf8)).path == "/ü")
    }

    @Test(arguments: [1, 8, 27, 127, 128, 255] as [UInt8])
    func `a raw control byte in a path doesn't reach the program`(byte: UInt8) throws {
        let bench = try ServerBench()
        let client = bench.client()
        client.send(
            Array("GET /a".utf8) + [byte] + Array("b HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        #expect(bench.turns { client.isOver })
        #expect(client.statuses == [400])
        #expect(bench.paths.isEmpty)
    }

    @Test func `all paths are below the base path`() throws {
        let bench = try ServerBench()
        bench.server.basePath = try #require(BasePath("/my/photos/"))
        for (path, status) in [
            ("/my/photos/", 200), ("/my/photos/a", 200), ("/my/photos/?page=2", 200), ("/", 404),
            ("/my/photosa", 404), ("/my/photos/a/", 400), ("/my/photos/../a", 400),
            ("/my%2Fphotos/", 400),
            ("/my/photos//", 400),
        ] {
            #expect(bench.ask(get(path)).statuses == [status], "\(path)")
        }
        #expect(bench.paths == ["/", "/a", "/"])
        let own = bench.ask(get("/my/photos"))
        #expect(own.statuses == [308] && own.header("location") == "photos/")
        for text in ["", "photos", "//", "/a//b", "/..", "/a/./b", "/a%2f", "/a?b", "/a b", "/ü"] {
            #expect(BasePath(text) == nil, "\(text)")
        }
        #expect(BasePath("/") == .root)
    }
}

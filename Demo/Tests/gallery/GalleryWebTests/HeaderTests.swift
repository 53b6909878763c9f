import Testing

@testable import GalleryWeb

struct HeaderTests {
    private let names = [
        "content-security-policy", "x-content-type-options", "referrer-policy",
        "cross-origin-opener-policy", "cross-origin-resource-policy",
    ]

    @Test(arguments: [
        get("/"), get("/", "Host: two"), "nonsense that is no request\r\n",
        post("/", "Content-Length: 99999"), get("/\0"), request("BREW", "/", []), get("/stream"),
    ])
    func `every reply says how its content may be used, libevent's own too`(text: String) throws {
        let bench = try ServerBench()
        bench.handler = {
            if $0.path == "/stream" { _ = $0.stream() } else { $0.reply(404) }
        }
        let client = bench.ask(text)
        #expect(client.statuses.count == 1)
        for name in names { #expect(client.headers.count { $0.name == name } == 1) }
        #expect(client.header("server") == nil)
        #expect(client.header("content-security-policy")?.hasPrefix("default-src 'none';") == true)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", "\u{7f}"])
    func `a header with a line break or a zero in it is left out`(value: String) throws {
        let bench = try ServerBench()
        bench.handler = {
            $0.reply(200, [("X-Own", value), ("X\r\nX-Evil", "1"), ("X-Good", "1")], [])
        }
        let client = bench.ask(get("/"))
        #expect(client.header("x-own") == nil)
        #expect(client.header("x-evil") == nil)
        #expect(client.header("x-good") == "1")
    }

    @Test func `the program can't take over what is the server's`() throws {
        let bench = try ServerBench()
        bench.handler = {
            $0.reply(
                200,
                [
                    ("Content-Length", "99"), ("Transfer-Encoding", "chunked"), ("Server", "x"),
                    ("X-Content-Type-Options", "sniff"),
                ], Array("two".utf8))
        }
        let client = bench.ask(get("/"))
        #expect(client.headers.filter { $0.name == "content-length" }.map(\.value) == ["3"])
        #expect(client.header("transfer-encoding") == nil)
        #expect(client.header("server") == nil)
        #expect(client.header("x-content-type-options") == "nosniff")
    }
}

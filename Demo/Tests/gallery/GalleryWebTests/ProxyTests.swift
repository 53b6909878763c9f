import GalleryTestSupport
import ScrollModel
import Testing

@testable import GalleryWeb

/// The statements of proxies about their clients, and which of them are believed.
struct ProxyTests {
    /// The client of a request from a peer, with 10.0.0.0/8 trusted; nil if it's refused.
    private func client(
        _ headers: [(String, String)], from peer: String = "10.0.0.1"
    ) -> String? {
        let fields = headers.map { RequestField(name: Array($0.utf8), value: Array($1.utf8)) }
        guard let peer = SocketName(digits: peer[...]), let trusted = TrustedProxy("10.0.0.0/8"),
            let forwarding = try? Forwarding(fields, from: peer, trusting: [trusted])
        else { return nil }
        return (forwarding.client ?? peer).host
    }

    @Test func `proxies are addresses, networks, or whoever uses a unix socket`() throws {
        for text in [
            "", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "::/129", "localhost", "a", "/8",
        ] {
            #expect(TrustedProxy(text) == nil, "\(text)")
        }
        let cases: [(proxy: String, inside: [String], outside: [String])] = [
            ("10.0.0.0/8", ["10.1.2.3", "::ffff:10.1.2.3"], ["11.0.0.0", "::a00:1"]),
            ("192.0.2.128/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127"]),
            ("192.0.2.1", ["192.0.2.1"], ["192.0.2.0"]), ("0.0.0.0/0", ["1.2.3.4"], ["::1"]),
            ("2001:db8::/33", ["2001:db8:7fff::"], ["2001:db8:8000::"]),
            ("::/0", ["::", "1.2.3.4"], []),
            ("unix", [], ["127.0.0.1"]),
        ]
        for (text, inside, outside) in cases {
            let proxy = try #require(TrustedProxy(text))
            let holds = { (address: String) in SocketName(digits: address[...]).map(proxy.contains)
            }
            #expect(inside.allSatisfy { holds($0) == true }, "\(text)")
            #expect(outside.allSatisfy { holds($0) == false }, "\(text)")
        }
        #expect(TrustedProxy.unix.contains(try #require(SocketName(path: "/a"))))
    }

    @Test(arguments: [
        ("1.2.3.4", "1.2.3.4"), ("9.9.9.9, 1.2.3.4", "1.2.3.4"), ("nonsense, 1.2.3.4", "1.2.3.4"),
        ("1.2.3.4, 10.9.9.9", "1.2.3.4"), ("9.9.9.9,1.2.3.4 ,\t10.9.9.9", "1.2.3.4"),
        ("10.0.0.7, 10.0.0.8", "10.0.0.7"), ("1.2.3.4:5555", "1.2.3.4"),
        ("[2001:db8::1]:1", "2001:db8::1"),
        ("2001:db8::1", "2001:db8::1"), ("unknown", "10.0.0.1"), ("9.9.9.9, unknown", "10.0.0.1"),
        ("unknown, 10.9.9.9", "10.9.9.9"), ("", nil), ("1.2.3.4,", nil), ("1.2.3", nil),
        ("localhost", nil),
        ("nonsense, 10.9.9.9", nil), ("unix:", nil), ("1.2.3.4:x", nil), ("::1%eth0", nil),
    ])
    func `the client is the last address that isn't a trusted proxy's`(
        header: String, client: String?
    ) {
        #expect(self.client([("X-Forwarded-For", header)]) == client)
        #expect(self.client([("X-Forwarded-For", header)], from: "11.0.0.1") == "11.0.0.1")
    }

    @Test(arguments: [
        ("for=1.2.3.4", "1.2.3.4"), (#"For="[2001:db8::1]:80";proto=http"#, "2001:db8::1"),
        ("for=9.9.9.9, for=1.2.3.4;by=10.0.0.2, for=10.9.9.9", "1.2.3.4"),
        ("for=unknown", "10.0.0.1"),
        ("for=_hidden, for=10.9.9.9", "10.9.9.9"), ("by=10.0.0.2", "10.0.0.1"),
        (#"for="1.2.3\.4""#, "1.2.3.4"), ("", nil), ("for", nil), ("for=", nil),
        ("for=1.2.3.4;", nil),
        ("for=1.2.3.4,", nil), ("for=1.2.3.4;for=1.2.3.4", nil),
        (#"for=9.9.9.9;by=", for=1.2.3.4"#, nil),
        (#"by=", for="[2001:db8::1]""#, nil), ("for=1.2.3.4;proto=ftp", nil), ("for=nonsense", nil),
    ])
    func `the other header says the same, and is refused unless all of it is well-formed`(
        header: String, client: String?
    ) {
        #expect(self.client([("Forwarded", header)]) == client)
    }

    @Test func `a header that a proxy has passed on unread changes nothing`() {
        let own = ("X-Forwarded-For", "1.2.3.4")
        #expect(client([own, ("Forwarded", "for=9.9.9.9")]) == nil)
        #expect(client([own, ("Forwarded", "host=evil.example")]) == nil)
        #expect(client([own, ("Forwarded", "for=1.2.3.4")]) == "1.2.3.4")
        #expect(
            client([("X-Forwarded-For", "9.9.9.9"), ("x-forwarded-FOR", "1.2.3.4")]) == "1.2.3.4")
    }

    @Test func `there are so many proxies in front of a client, and no more are looked at`() {
        func client(behind count: Int) -> String? {
            let list = ["1.2.3.4"] + [String](repeating: "10.1.1.1", count: count)
            return self.client([("X-Forwarded-For", list.joined(separator: ","))])
        }
        #expect(client(behind: Forwarding.mostProxies - 1) == "1.2.3.4")
        #expect(client(behind: Forwarding.mostProxies) == nil)
    }

    /// The client by definition, where each address of a list is well-formed.
    private func plainClient(_ list: [String], from peer: String) -> String {
        ([peer] + list.reversed()).first { !$0.hasPrefix("10.") } ?? list.first ?? peer
    }

    @Test(arguments: 0..<50)
    func `whatever a client sends, it's known by the address from which it has come`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let signs = Array(#"",;= :[].10fo=r%_-\unknown"# + "\t").map(String.init)
        func address(_ first: Int) -> String {
            ([first] + (0..<3).map { _ in Int.random(in: 0...255, using: &random) })
                .map(String.init).joined(separator: ".")
        }
        for _ in 0..<100 {
            let hops =
                [address(1)] + (0..<Int.random(in: 0..<4, using: &random)).map { _ in address(10) }
            let junk = (0..<Int.random(in: 0..<12, using: &random))
                .map { _ in signs.randomElement(using: &random) ?? "" }.joined()
            let forged = [junk, address(10), address(9) + ", " + address(10), "for=" + address(9)]
            let start = forged.randomElement(using: &random) ?? ""
            let peer = address(10)
            let listed = (start + ", " + hops.joined(separator: ", "))
            #expect(client([("X-Forwarded-For", listed)], from: peer) == hops[0], "\(listed)")
            let stated = start + ", " + hops.map { "for=\"\($0):80\"" }.joined(separator: ", ")
            let found = client([("Forwarded", stated)], from: peer)
            #expect(found == nil || found == hops[0], "\(stated)")
            // Junk alone ends in an error or an address, and never traps.
            _ = client([("Forwarded", junk), ("X-Forwarded-For", junk)], from: peer)
            let list = (0..<4).map { _ in address(Bool.random(using: &random) ? 10 : 9) }
            #expect(
                client([("X-Forwarded-For", list.joined(separator: ","))], from: peer)
                    == plainClient(list, from: peer))
        }
    }

    @Test func `a peer is believed only while it's trusted, and so is a unix socket`() throws {
        let folder = TemporaryFolder()
        for (address, proxy) in [
            (WebAddress.tcp(host: "127.0.0.1", port: 0), "127.0.0.0/8"),
            (.unix(path: folder.file("g.sock")), "unix"),
        ] {
            let bench = try ServerBench(on: address)
            let peer = proxy == "unix" ? "unix" : "127.0.0.1"
            for proxies in [[], [TrustedProxy(proxy)], []] {
                bench.server.proxies = proxies.compactMap(\.self)
                #expect(bench.ask(get("/", "X-Forwarded-For: 2001:db8::1")).statuses == [200])
                let exchange = try #require(bench.exchanges.last)
                #expect(exchange.address == (proxies.isEmpty ? peer : "2001:db8::1"))
                #expect(proxies.isEmpty || exchange.network == 0x2001_0db8_0000_0000)
                let status = bench.ask(get("/", "X-Forwarded-For: x")).statuses
                #expect(status == [proxies.isEmpty ? 200 : 400])
            }
            bench.server.close()
        }
    }

    @Test func `the bound of an address is that of each client behind a proxy`() throws {
        let bench = try ServerBench { $0.connectionsPerAddress = 2 }
        bench.server.proxies = [TrustedProxy("127.0.0.1")].compactMap(\.self)
        bench.handler = { _ in }
        let idle = (0..<3).map { _ in bench.client() }
        func clients(_ count: Int, of address: String) -> [TestClient] {
            (0..<count).map { _ in
                bench.client(sending: get("/", "X-Forwarded-For: \(address)"))
            }
        }
        let first = clients(2, of: "1.2.3.4") + clients(2, of: "1.2.3.5")
        #expect(bench.turns { bench.exchanges.count == 4 })
        bench.passes()
        #expect(!(idle + first).contains { $0.isOver })
        let third = clients(1, of: "1.2.3.4")
        #expect(bench.turns { first[0].isOver || first[1].isOver || third[0].isOver })
        bench.passes()
        #expect((first.prefix(2) + third).count { $0.isOver } == 1)
        #expect(!(idle + first.suffix(2)).contains { $0.isOver })
        #expect(bench.server.statistics.refused == [.connectionsPerAddress: 1])
    }

    @Test func `the host and scheme that count are those that the client has used`() throws {
        let bench = try ServerBench(hosts: ["photos.example"])
        bench.server.proxies = [TrustedProxy("127.0.0.1")].compactMap(\.self)
        let told = ["X-Forwarded-For: 1.2.3.4", "X-Forwarded-Host: a, photos.example"]
        let https = told + ["X-Forwarded-Proto: https"]
        func status(_ method: String, _ headers: [String]) -> [Int] {
            bench.ask(request(method, "/", headers)).statuses
        }
        #expect(status("GET", told) == [200])
        #expect(status("GET", ["X-Forwarded-Host: evil.example"]) == [421])
        #expect(status("GET", ["X-Forwarded-Host: a b"]) == [400])
        #expect(status("GET", ["X-Forwarded-Proto: gopher"]) == [400])
        #expect(status("GET", ["Forwarded: for=1.2.3.4;host=evil.example"]) == [421])
        #expect(status("POST", https + ["Origin: https://photos.example"]) == [200])
        #expect(status("POST", https + ["Origin: http://photos.example"]) == [403])
        #expect(status("POST", told + ["Origin: http://photos.example"]) == [200])
        #expect(status("POST", https + ["Origin: https://localhost"]) == [403])
    }

    @Test func `all paths are below the base path, which a proxy may have removed`() throws {
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
        let removed = "X-Forwarded-Prefix: /elsewhere"
        #expect(bench.ask(get("/a", removed)).statuses == [404])
        bench.server.proxies = [TrustedProxy("127.0.0.1")].compactMap(\.self)
        #expect(bench.ask(get("/a", removed)).statuses == [200])
        #expect(bench.ask(get("/a", "X-Forwarded-Prefix: //evil.example")).statuses == [400])
        for text in ["", "photos", "//", "/a//b", "/..", "/a/./b", "/a%2f", "/a?b", "/a b", "/ü"] {
            #expect(BasePath(text) == nil, "\(text)")
        }
        #expect(BasePath("/") == .root)
    }
}

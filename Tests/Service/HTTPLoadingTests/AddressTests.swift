import Glibc
import HTTPLoading
import IdleLoop
import TestServer
import Testing

/// Servers that a program must not be led to.
struct AddressTests {
    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "93.184.216.34", "9.255.255.255", "11.0.0.0", "100.63.255.255",
        "100.128.0.0", "126.255.255.255", "128.0.0.1", "169.253.255.255", "169.255.0.0",
        "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450::1",
        "2001:200::1", "2001:4860:4860::8888", "2001:db7:ffff::1", "2001:db9::1",
        "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1", "3ffe::1", "168.63.129.15",
        "168.63.129.17",
    ]) func `an address of the Internet is public`(text: String) throws {
        #expect(try #require(HTTPAddress(text)).isPublic)
    }

    @Test(arguments: [
        // This machine, none at all, private and shared networks, links.
        "127.0.0.1", "127.255.255.255", "0.0.0.0", "0.1.2.3", "10.0.0.0", "10.255.255.255",
        "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255", "100.64.0.0",
        "100.127.255.255", "169.254.0.0", "169.254.169.254", "::1", "::", "fc00::1",
        "fdff:ffff::1", "fe80::1", "febf::1", "fec0::1", "168.63.129.16",
        // Groups, all of a network, documentation, benchmarks, what is kept.
        "224.0.0.1", "239.255.255.255", "255.255.255.255", "240.0.0.1", "192.0.0.1",
        "192.0.0.170", "192.0.2.1", "198.51.100.7", "203.0.113.255", "198.18.0.1",
        "198.19.255.255", "192.88.99.1", "ff02::1", "ff0e::1", "2001:db8::1", "3fff::1",
        "2001:2::1", "2001::1", "100::1", "5f00::1", "1::1", "4000::1",
        // What stands for one of those in IPv6, or leads there.
        "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:169.254.169.254", "::127.0.0.1", "::8.8.8.8",
        "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::8.8.8.8", "2002:7f00:1::1",
        "2002:c0a8:101::1", "2002:a9fe:a9fe::", "2001:0:4136:e378::1",
    ]) func `an address for something else is not`(text: String) throws {
        #expect(try !#require(HTTPAddress(text)).isPublic)
    }

    @Test(arguments: ["", "1.2.3", "localhost", "::g", "1.2.3.4.5", "127.1", "fe80::1%eth0"])
    func `what isn't an address is none`(text: String) {
        #expect(HTTPAddress(text) == nil)
    }

    @Test func `an address is its bytes, its port and its digits`() throws {
        let address = try #require(HTTPAddress("2001:DB8:0::1", port: 80))
        #expect(address.bytes == [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [1])
        #expect(address.description == "2001:db8::1" && address.port == 80)
        #expect(HTTPAddress("192.0.2.7")?.description == "192.0.2.7")
    }

    @Test(arguments: [
        "127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1",
        "127.1",
    ]) func `however the machine itself is named, it's refused`(host: String) throws {
        let bench = try LoaderBench { $0.addresses = .publicOnly }
        let url = "http://\(host):\(bench.server.port)/"
        guard case .refusedAddress? = try bench.error(of: url) else {
            Issue.record("\(host): \(bench.outcomes)")
            return
        }
        #expect(bench.server.accepted == 0)
    }

    @Test func `a redirect to a server that isn't allowed is refused`() throws {
        let bench = try LoaderBench()
        let inner = try TestServer(on: bench.loop)
        defer { inner.close() }
        let port = bench.server.port
        bench.restart { $0.addresses = .only { $0.isPublic || $0.port == port } }
        bench.server.answer = { request in
            switch request.path {
            case "/inner":
                TestServer.reply("", status: "302 Found", headers: ["Location: \(inner.url("/"))"])
            case "/name":
                TestServer.reply(
                    "", status: "302 Found",
                    headers: ["Location: http://localhost:\(inner.port)/"])
            case "/self":
                TestServer.reply("", status: "302 Found", headers: ["Location: /"])
            default: TestServer.reply("here", headers: ["Alt-Svc: h2=\":\(inner.port)\""])
            }
        }
        #expect(try bench.error(of: "/inner") == .refusedAddress("127.0.0.1"))
        guard case .refusedAddress? = try bench.error(of: "/name") else {
            Issue.record("a name is looked up: \(bench.outcomes)")
            return
        }
        // What is allowed goes on, over the connection that there is.
        for path in ["/self", "/", "/"] { #expect(try bench.body(of: path).text == "here") }
        #expect(inner.accepted == 0)
        #expect(bench.server.accepted <= 3)
        #expect(!HTTPLoadError.refusedAddress("").isTransient)
    }

    @Test func `a loader without a rule connects to any server`() throws {
        let bench = try LoaderBench()
        #expect(try bench.body(of: "http://localhost:\(bench.server.port)/").status == 200)
    }

    @Test func `a program that is started has none of the sockets`() async {
        await #expect(processExitsWith: .success) {
            let bench = try LoaderBench()
            bench.server.answer = { $0.path == "/" ? TestServer.reply("") + [.close] : [] }
            _ = try bench.body(of: "/")  // libraries open what they need
            let before = AddressTests.inherited
            let transfer = bench.fetch("/never")
            try bench.run { bench.server.requests.count == 2 }
            precondition(AddressTests.inherited == before)
            transfer.cancel()
        }
    }

    /// The sockets that are open and not closed in a program that is started.
    private static var inherited: [Int32] {
        (0..<1024).filter { descriptor in
            var status = stat()
            return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
                && fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0
        }
    }
}

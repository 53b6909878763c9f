import GalleryWeb
import Testing

@testable import GalleryKit

/// The metrics, which only administrators may read.
struct AdminTests {
    @Test func `how the program runs isn't there for strangers`() throws {
        let web = try WebBench()
        #expect(web.ask("/metrics").status == 200)
        web.isAdmin = false
        let answer = web.ask("/metrics")
        #expect(answer.status == 404 && answer.bodyText == web.ask("/nothing").bodyText)
        #expect(web.ask("/healthz").status == 200)
    }

    @Test func `no address in a page or script begins at the root, as it may be below a path`()
        throws
    {
        let web = try WebBench()
        let addresses = #/["'`]\/\w/#
        for path in ["/"] + PageFiles.files.keys.filter({ $0.hasPrefix("/scripts") }) {
            let text = web.ask(path).bodyText
            #expect(!text.isEmpty && text.firstMatch(of: addresses) == nil, "\(path)")
        }
    }

    @Test func `bounds of an address are those of each client behind a trusted proxy`() throws {
        let web = try WebBench()
        web.gallery.limitClients(9, perAddress: 1)
        func opened(by clients: [String]) -> [Int] {
            clients.map { client in
                web.client = client
                return web.post("/clients").status
            }
        }
        let proxy = try #require(TrustedProxy("127.0.0.1"))
        web.server.proxies = [proxy]
        #expect(
            opened(by: ["1.2.3.4", "1.2.3.4", "2001:db8::1", "2001:db8::2"]) == [
                201, 503, 201, 503,
            ])
        web.server.proxies = []
        #expect(opened(by: ["1.2.3.6", "1.2.3.7"]) == [201, 503])
    }
}

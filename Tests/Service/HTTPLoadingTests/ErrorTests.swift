import DeferredLoading
import HTTPLoading
import Testing

struct ErrorTests {
    @Test func `what a server refuses isn't asked for again, what it has no time for is`() {
        let passing = (100..<600).filter { HTTPLoadError.status($0, retryAfter: nil).isTransient }
        #expect(passing == [408, 425, 429, 500, 502, 503, 504])
        for error in [
            .timedOut(after: .zero), .dns("a"), .connection(""), .incomplete(received: 1),
            .outOfMemory,
        ] as [HTTPLoadError] {
            #expect(error.isTransient)
            #expect(LoadRetry.usual(after: error) == .later)
        }
        for error in [
            .badURL(""), .refusedScheme("file"), .refusedAddress("::1"),
            .tooLarge(found: 2, limit: 1),
            .tooManyRedirects(limit: 5), .badReply(""), .unsupportedCoding(""), .tls(""),
            .cancelled, .closed, .library(code: 1, message: ""),
            .status(404, retryAfter: .seconds(1)),
        ] as [HTTPLoadError] {
            #expect(!error.isTransient)
            #expect(LoadRetry.usual(after: error) == .never)
        }
    }

    @Test func `a server is left alone as long as it asks, within reason`() {
        func retry(_ time: Duration, _ failures: Int = 1) -> LoadRetry {
            LoadRetry.usual(after: HTTPLoadError.status(429, retryAfter: time), failures: failures)
        }
        #expect(retry(.seconds(7)) == .after(.seconds(7)))
        #expect(retry(.zero) == .after(.seconds(1)))
        #expect(retry(.seconds(1_000_000)) == .after(.seconds(3600)))
        #expect(retry(.seconds(7), 4) == .after(.seconds(7)))
        #expect(retry(.seconds(7), 5) == .never)
    }

    @Test func `errors say what happened in a line`() {
        let errors: [HTTPLoadError] = [
            .badURL("x"), .refusedScheme("ftp"), .refusedAddress("::1"),
            .status(404, retryAfter: nil),
            .status(429, retryAfter: .seconds(7)), .tooLarge(found: 2, limit: 1),
            .timedOut(after: .seconds(3)), .tooManyRedirects(limit: 5), .dns("a:80"),
            .connection("reset"), .incomplete(received: 3), .badReply("no"), .tls("expired"),
            .outOfMemory, .unsupportedCoding("compress"), .cancelled, .closed,
            .library(code: 3, message: "what"),
        ]
        let lines = errors.map(\.description)
        #expect(Set(lines).count == lines.count)
        #expect(!lines.contains { $0.isEmpty || $0.contains("\n") })
        #expect(lines[0] == "x: not an address")
        #expect(lines[4] == "status 429, again after 7.0 seconds")
    }
}

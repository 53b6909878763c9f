@testable import HTTPLoading
import TestSupport
import Testing

/// The time for which responses may be used again, with a clock that is given in.
struct FreshnessTests {
    /// A second of 2026, and the same as a server says it.
    private static let noon = Duration.seconds(1_795_521_600)
    private static let noonText = "Tue, 24 Nov 2026 12:00:00 GMT"

    private func head(_ lines: String..., status: Int = 200) -> ResponseHead {
        let all = ["HTTP/1.1 \(status) OK", "Content-Length: 3"] + lines + [""]
        return ResponseHead(lines: all.map { $0[...] })
    }

    private func freshness(_ lines: [String], answered: Duration = noon) -> HTTPFreshness {
        let all = ["HTTP/1.1 200 OK"] + lines + [""]
        return HTTPFreshness(
            of: ResponseHead(lines: all.map { $0[...] }), asked: Self.noon, answered: answered)
    }

    /// For how many seconds from noon on a response is fresh.
    private func time(_ lines: String..., answered: Duration = noon) -> Int {
        let freshness = freshness(lines, answered: answered)
        return (0..<200_000).first { !freshness.isFresh(at: Self.noon + .seconds($0)) } ?? .max
    }

    @Test func `a response is fresh as long as the server says`() {
        #expect(time("Cache-Control: max-age=60") == 60)
        #expect(time("Cache-Control: private, MAX-AGE = \"60\" , immutable") == 60)
        #expect(time("Cache-Control: public", "Cache-Control: max-age=7") == 7)
        #expect(time("Cache-Control: s-maxage=9, max-age=5, max-age=8") == 5)
        #expect(time("Date: \(Self.noonText)", "Expires: Tue, 24 Nov 2026 12:01:40 GMT") == 100)
        #expect(time("Expires: Tue, 24 Nov 2026 12:01:40 GMT") == 100)
        #expect(time("Expires: Tuesday, 24-Nov-26 12:01:40 GMT") == 100)
        #expect(time("Expires: Tue Nov 24 12:01:40 2026") == 100)
        let both = "Cache-Control: max-age=5"
        #expect(time(both, "Expires: Tue, 24 Nov 2026 12:01:40 GMT") == 5)
    }

    @Test(arguments: [
        "Cache-Control: no-cache, max-age=60", "Cache-Control: no-cache=\"a, b\", max-age=60",
        "Cache-Control: max-age=0", "Cache-Control: max-age=-5", "Cache-Control: max-age=ten",
        "Cache-Control: max-age=", "Cache-Control: max-age", "Cache-Control: max-age=1.5",
        "Expires: 0", "Expires: -1", "Expires: soon", "Expires:",
        "Expires: Tue, 24 Nov 2026 12:00:00 GMT", "Expires: Mon, 23 Nov 2026 12:00:00 GMT", "A: b",
        "Last-Modified: Wed, 25 Nov 2026 12:00:00 GMT", "Last-Modified: 0",
    ]) func `nothing, nonsense and the past are not fresh`(line: String) {
        #expect(time(line) == 0)
    }

    @Test func `nothing lasts for ever`() {
        let huge = freshness(["Cache-Control: max-age=99999999999999999999999"])
        #expect(huge.lifetime == .seconds(1 << 31))
        #expect(huge.isFresh(at: Self.noon + .seconds(1 << 30)))
        #expect(!huge.isFresh(at: Self.noon + .seconds(1 << 32)))
    }

    @Test func `what was changed lately is asked for sooner, what wasn't once a day`() {
        #expect(time("Last-Modified: Tue, 24 Nov 2026 11:50:00 GMT") == 60)
        #expect(time("Last-Modified: Sat, 01 Jan 2000 00:00:00 GMT") == 86_400)
        // Somebody else said when it would be stale.
        #expect(time("Last-Modified: Sat, 01 Jan 2000 00:00:00 GMT", "Expires: 0") == 0)
    }

    @Test func `the way here counts as age, whoever tells of it`() {
        let hour = "Cache-Control: max-age=3600"
        #expect(time(hour, "Age: 600") == 3000)
        #expect(time(hour, "Age: 600", "Date: Tue, 24 Nov 2026 11:30:00 GMT") == 1800)
        #expect(time(hour, "Age: nonsense", "Date: nonsense") == 3600)
        #expect(time(hour, "Date: Tue, 24 Nov 2026 18:00:00 GMT") == 3600, "a clock that is ahead")
        // It took ten seconds to come.
        let late = freshness([hour, "Age: 600"], answered: Self.noon + .seconds(10))
        #expect(late.isFresh(at: Self.noon + .seconds(2999)))
        #expect(!late.isFresh(at: Self.noon + .seconds(3000)))
    }

    @Test func `with a clock that was set back nothing is fresh`() {
        let hour = freshness(["Cache-Control: max-age=3600"])
        #expect(hour.isFresh(at: Self.noon))
        #expect(!hour.isFresh(at: Self.noon - .seconds(1)))
    }

    @Test func `whole responses that hold for all requests are stored`() {
        #expect(head().isStorable)
        #expect(head("Cache-Control: private, no-cache").isStorable)
        #expect(head("Vary: Accept, Accept-Encoding").isStorable)
        #expect(!head("Cache-Control: max-age=60, No-Store").isStorable)
        #expect(
            !head("Cache-Control: a=\"\\\"\", no-store").isStorable, "the quotes are the value's")
        #expect(head("Cache-Control: a=\"x, no-store\"").isStorable, "that is another's value")
        #expect(!head("Vary: Accept", "Vary: *").isStorable)
        for status in [203, 204, 206, 301, 404, 500] { #expect(!head(status: status).isStorable) }
        func ends(_ lines: String...) -> Bool {
            ResponseHead(lines: (lines + [""]).map { $0[...] }).isStorable
        }
        #expect(!ends("HTTP/1.1 200 OK"), "a connection that ends is no proof")
        #expect(!ends("HTTP/1.0 200 OK", "Content-Length: many"))
        #expect(ends("HTTP/1.1 200 OK", "Transfer-Encoding: gzip, Chunked"))
        #expect(ends("HTTP/2 200"))
        #expect(!ends("HTTP/1.1 302 Found", "Location: /", "", "HTTP/2 200"))
    }

    @Test func `directives that nobody would read are not read, and nothing is stored`() {
        func control(_ count: Int) -> String {
            "Cache-Control: max-age=60, a=" + String(repeating: "b", count: count)
        }
        #expect(head(control(4000)).isStorable && time(control(4000)) == 60)
        #expect(!head(control(5000)).isStorable && time(control(5000)) == 0)
    }

    @Test func `what the server says anew takes the place of what it said, but for the body`() {
        var stored = head(
            "ETag: a", "Content-Type: image/png", "Cache-Control: max-age=1", "Age: 5")
        stored.refresh(
            with: head(
                "ETag: b", "Content-Type: text/html", "Cache-Control: max-age=9", "Date: now",
                status: 304))
        #expect(stored.version?.etag == "b" && stored.contentType == "image/png")
        #expect(stored.fields["cache-control"] == "max-age=9" && stored.fields["age"] == nil)
        #expect(stored.status == 200 && stored.length == 3)
    }

    @Test(arguments: seeds(0..<200))
    func `any text has directives`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = ["max-age", "=", ",", "\"", "\\", " ", "60", "no-store", "\t", "é", "\0", ";"]
        let text = (0..<20).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        let control = CacheDirectives(text)
        #expect(
            control.time("max-age").map { (Duration.zero...CacheDirectives.limit).contains($0) }
                ?? true)
        #expect(CacheDirectives(text + "") == control)
    }
}

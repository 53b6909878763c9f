import GalleryCatalogue
import GalleryFiles
import GalleryWeb
import Glibc
import IdleLoop
import ReplayText
import ScrollModel
import Testing

@testable import GalleryKit

/// What somebody outside may make the gallery do by asking, counted.
struct BudgetTests {
    private func bench(
        _ change: (inout GalleryLimits) -> Void = { _ in }
    ) throws -> WebBench {
        try WebBench(
            rows: 200,
            limits: {
                $0.refusalDelay = .zero
                change(&$0)
            })
    }

    @Test func `what is the same for everybody is made once for each list`() throws {
        let web = try bench()
        let version = web.gallery.catalogue.version
        let targets = [
            "/list", "/list?from=7", "/", "/?page=2", "/rows?v=\(version)&from=0&to=64",
            "/rows?v=\(version)&from=64&to=9999",
        ]
        let first = targets.map { web.ask($0).bodyText }
        #expect(web.gallery.router.texts.made == targets.count)
        for _ in 0..<20 { #expect(targets.map { web.ask($0).bodyText } == first) }
        // What leads to the same isn't made anew either.
        for target in ["/?page=0", "/list?from=0", "/rows?v=\(version)&from=64&to=200"] {
            #expect(web.ask(target).status == 200)
        }
        #expect(web.gallery.router.texts.made == targets.count)
        try web.files.write("new.png")
        #expect(web.turns { web.gallery.catalogue.version > version })
        #expect(web.ask("/list").bodyText != first[0])
        #expect(web.gallery.router.texts.made == targets.count + 1)
    }

    @Test func `an address asks for so much at once, and others aren't kept from theirs`() throws {
        let web = try bench {
            $0.requestBurst = 5 * RequestCost.list
            $0.requestRate = 0
        }
        let statuses = (0..<10).map { web.ask("/list?from=\($0)").status }
        #expect(statuses == [200, 200, 200, 200, 200, 429, 429, 429, 429, 429])
        #expect(web.gallery.router.texts.made == 5)
        let refused = web.ask("/metrics")
        #expect(refused.status == 429 && refused.header("retry-after") == "1")
        #expect(web.post("/clients").status == 429)
        #expect(web.ask("/healthz").status == 200)
        var budget = web.gallery.router.budget
        let isAnother = budget.take(RequestCost.list, of: 1, at: web.loop.clock.now)
        #expect(isAnother)
    }

    @Test func `who asks for too much is told so later, and keeps nobody busy until then`() throws {
        let web = try bench {
            $0.requestBurst = 0
            $0.refusalDelay = .seconds(3600)
        }
        let waiting = (0..<20).map { _ in web.follow("/list") }
        #expect(web.turns { web.gallery.router.budget.count == 1 })
        #expect(web.ask("/healthz").status == 200)
        #expect(!waiting.contains { $0.isOver })
        #expect(web.gallery.router.texts.made == 0)
    }

    @Test func `a budget comes back with time, and is remembered for so many addresses`() {
        var limits = GalleryLimits()
        limits.requestBurst = 1000
        limits.requestRate = 100
        var budget = RateLimiter(limits)
        let start = Instant.zero
        func takes(_ cost: Int, _ address: UInt64?, after time: Duration) -> Bool {
            budget.take(cost, of: address, at: start.advanced(by: time))
        }
        #expect(takes(1000, 7, after: .zero))
        #expect(!takes(100, 7, after: .milliseconds(900)))
        #expect(takes(100, 7, after: .seconds(1)))
        #expect(takes(100_000, nil, after: .zero))
        for address in 0..<UInt64(3 * RateLimiter.mostAddresses) {
            #expect(takes(1, address, after: .seconds(2)))
        }
        #expect(budget.count <= RateLimiter.mostAddresses)
    }

    @Test func `what all may ask for is divided among those that do`() {
        var limits = GalleryLimits()
        limits.requestBurst = 1000
        limits.requestRate = 400
        limits.allRequestsRate = 800
        var budget = RateLimiter(limits)
        func taken(of address: UInt64, at seconds: Int) -> Int {
            var count = 0
            while budget.take(1, of: address, at: .zero.advanced(by: .seconds(seconds))) {
                count += 1
            }
            return count
        }
        // However many there are, each has its burst; what comes back is less for each.
        #expect((0..<8).map { taken(of: $0, at: 0) } == Array(repeating: 1000, count: 8))
        #expect((0..<8).map { taken(of: $0, at: 1) } == Array(repeating: 100, count: 8))
        // Seven have all of theirs again, and are forgotten.
        #expect((0..<90).map { taken(of: 0, at: 2 + $0) }.last == 400)
        #expect(budget.count == 1)
    }

    @Test func `texts are kept for one list, and so many bytes of them`() {
        var texts = TextCache()
        let part = [UInt8](repeating: 1, count: 1 << 20)
        for number in 0..<10 { texts.keep(part, named: "\(number)", version: 1) }
        let kept = (0..<10).count { texts.text(named: "\($0)", version: 1) != nil }
        #expect(kept > 0 && kept * part.count <= TextCache.mostBytes)
        let (last, later) = (
            texts.text(named: "9", version: 1), texts.text(named: "9", version: 2)
        )
        #expect(last == part && later == nil)
        texts.keep([UInt8](repeating: 1, count: TextCache.mostBytes + 1), named: "a", version: 2)
        let tooLong = texts.text(named: "a", version: 2)
        #expect(tooLong == nil)
    }

    // MARK: - Names

    @Test func `names that are long however they're written are cut, and others are whole`() {
        let whole = String(repeating: "é", count: 127)
        #expect(ShownText.of(whole) == whole)
        for character in ["\u{1}", "\"", "&", "\u{2028}", "€", "x", "\u{10FFFF}"] {
            let name = String(repeating: character, count: 8000)
            let shown = ShownText.of(Array(name.utf8))
            #expect(shown.hasSuffix("…") && name.hasPrefix(shown.dropLast()))
            #expect(JSON.text(shown).rendered.utf8.count <= ShownText.mostBytes + 2)
            #expect(shown == ShownText.of(name))
        }
        let torn = ShownText.of([UInt8](repeating: 0xFF, count: 255))
        #expect(torn.utf8.count <= ShownText.mostBytes)
    }

    @Test(arguments: ["\u{1}", "\"", "'", "&", "\u{7F}"])
    func `the list, its rows and the page are told whatever the names are`(
        character: String
    ) throws {
        let web = try WebBench(
            rows: 0,
            fill: { files in
                let long = String(repeating: character, count: 240)
                for number in 0..<300 {
                    let folder = long + "\(number)"
                    files.makeFolder(folder)
                    files.write([1], to: "\(folder)/0.png")
                }
                for number in 0..<300 { files.write([1], to: long + "\(number).png") }
                // As deep as is looked into.
                var deep = String(repeating: character, count: 120)
                for _ in 0..<30 {
                    files.makeFolder(deep)
                    files.write([1], to: "\(deep)/0.png")
                    deep += "/" + String(repeating: character, count: 120)
                }
            })
        let (version, count) = (web.gallery.catalogue.version, web.gallery.catalogue.rowCount)
        #expect(count > 600)
        let limit = WebLimits().unsentBytes
        for first in stride(from: 0, to: count, by: 100) {
            for target in [
                "/list?from=\(first)", "/rows?v=\(version)&from=\(first)&to=\(first + 256)",
                "/?page=\(1 + first / 60)",
            ] {
                let answer = web.ask(target)
                #expect(answer.status == 200 && answer.body.count < limit, "\(target)")
            }
        }
    }

    // MARK: - Starting

    @Test func `what a program can't start with is named`() throws {
        let oldKernel = FileError.system(call: "openat2", errno: ENOSYS)
        #expect {
            try StartFailure.naming("/srv") { throw oldKernel }
        } throws: {
            "\($0)" == "/srv: Linux 5.6 or later is needed (openat2)"
        }
        let address = WebAddress.tcp(host: "example.org", port: 80)
        #expect {
            try StartFailure.naming("\(address)") { throw WebError.notAnAddress("example.org:80") }
        } throws: {
            "\($0)".hasPrefix("example.org:80: ")
        }
    }
}

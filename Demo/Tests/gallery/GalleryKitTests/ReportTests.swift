import IdleLoop
import TestSupport
import Testing

@testable import GalleryKit

/// What pages report, and what is made of nonsense.
struct ReportTests {
    private func report(_ events: String, v: String? = "7", h: String? = "800") -> ScrollReport? {
        var query = ["e": events]
        query["v"] = v
        query["h"] = h
        return ScrollReport(query)
    }

    @Test func `a report says what has happened and when`() throws {
        let events = "d,100.25,640,12.5;m,108.6,620;u,117,600;f,117,30;c,118;w,119;k,120"
        let report = try #require(self.report(events + ";t,121,9;e,122,0"))
        #expect(report.version == 7)
        #expect(report.height == 800)
        #expect(
            report.events.map(\.input) == [
                .down(y: 640, offset: 12.5), .moved(y: 620), .up(y: 600), .frame(offset: 30),
                .cancelled, .wheel, .key, .jumpBegan, .jumpEnded,
            ])
        #expect(report.events.first?.time == 100.25)
    }

    @Test func `a report without events tells of the window alone`() {
        #expect(report("")?.events == [])
        #expect(ScrollReport(["v": "0", "h": "0"])?.height == 0)
    }

    @Test(arguments: [
        "f", "f,", "f,1", "f,1,2,3", "f,nan,1", "f,1,inf", "f,1,0x10", "f,1,1e400", "f,-1,0",
        "f,1,+2", "d,1,2", "d,1,2,3,4", "m,1", "c,1,2", "w,1,2", "x,1", ",1", "f,2,0;f,1,0",
        "f,1,1e13", "f,1, 2", "f,1,1/2", "f,1,\u{664}", "t,1,2,3",
    ])
    func `nonsense is no report`(_ events: String) {
        #expect(report(events) == nil)
    }

    @Test func `versions and heights are numbers within reason`() {
        for text in ["", "-1", "x", "1e3", "99999999999999999999"] {
            #expect(report("", v: text) == nil, "\(text)")
        }
        for text in ["", "-1", "x", "nan", "1000000000001", "1e9"] {
            #expect(report("", h: text) == nil, "\(text)")
        }
        #expect(report("", v: nil) == nil)
        #expect(report("", h: nil) == nil)
    }

    @Test func `a picture's time to the page and its throughput are numbers within reason`() {
        func report(_ way: [String: String]) -> ScrollReport? {
            ScrollReport(["v": "7", "h": "800"].merging(way) { $1 })
        }
        #expect(report([:])?.delivery == .zero && report([:])?.bytesPerSecond == 0)
        let measured = report(["w": "25.5", "b": "187.5"])
        #expect(measured?.delivery == .microseconds(25_500) && measured?.bytesPerSecond == 187_500)
        #expect(report(["w": "99999"])?.delivery == .seconds(5))
        for name in ["w", "b"] {
            for text in ["", "-1", "x", "nan", "inf", "1e3", " 1", "1,2", "1000000000001"] {
                #expect(report([name: text]) == nil, "\(name)=\(text)")
            }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `numbers are read as the standard library reads them`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            let letters = Array("0123456789.-".utf8)
            let count = Int.random(in: 0...22, using: &random)
            let few = Bool.random(using: &random) ? 10 : 12
            var text = (0..<count).map { _ in letters[Int.random(in: 0..<few, using: &random)] }
            if Bool.random(using: &random) { text.insert(UInt8(ascii: "-"), at: 0) }
            if Bool.random(using: &random), let place = text.indices.randomElement(using: &random) {
                text[place] = UInt8(ascii: ".")
            }
            let expected = Double(String(decoding: text, as: UTF8.self))
            #expect(DecimalNumber(text[...])?.value == expected, "\(text)")
        }
    }

    @Test func `a report has 256 events at most`() {
        func frames(_ count: Int) -> String {
            (0..<count).map { "f,\($0),0" }.joined(separator: ";")
        }
        #expect(report(frames(256))?.events.count == 256)
        #expect(report(frames(257)) == nil)
    }

    // MARK: - Clocks

    private func instant(_ milliseconds: Double) -> Instant {
        Instant(nanoseconds: Int64(milliseconds * 1e6))
    }

    @Test func `the quickest report tells how the clocks stand`() {
        var clock = PageClock()
        clock.note(100, arrival: instant(5150))
        #expect(clock.moment(of: 100, by: instant(5150)) == instant(5150))
        clock.note(200, arrival: instant(5205))  // 45 ms sooner than the first would say
        let moment = clock.moment(of: 200, by: instant(5205))
        #expect(moment == instant(5205))
        clock.note(300, arrival: instant(5400))  // 95 ms later
        let later = clock.moment(of: 300, by: instant(5400))
        #expect(abs(later.nanoseconds - instant(5305).nanoseconds) < 100_000)
    }

    @Test func `moments never go back, nor ahead of the report`() {
        var clock = PageClock()
        clock.note(1000, arrival: instant(2000))
        let first = clock.moment(of: 1000, by: instant(2000))
        clock.note(1001, arrival: instant(1900))
        #expect(clock.moment(of: 1001, by: instant(1900)) >= first)
        clock.note(2000, arrival: instant(3000))
        #expect(clock.moment(of: 9000, by: instant(3000)) <= instant(3000))
    }

    @Test func `a page that slept is taken at its new word`() {
        var clock = PageClock()
        clock.note(1000, arrival: instant(2000))
        clock.note(1100, arrival: instant(62_100))
        #expect(clock.moment(of: 1100, by: instant(62_100)) == instant(62_100))
    }

    // MARK: - Identifiers

    @Test func `identifiers of pages are 32 digits, others for each`() throws {
        let bench = try GalleryBench(rows: 1)
        let clients = try (0..<100).map {
            try #require(bench.gallery.clients.open(at: "10.0.0.\($0)"))
        }
        #expect(clients.allSatisfy { $0.id.wholeMatch(of: /[0-9a-f]{32}/) != nil })
        #expect(Set(clients.map(\.id)).count == 100)
        #expect(clients.allSatisfy { bench.gallery.clients[$0.id] === $0 })
        #expect(bench.gallery.clients[clients[0].id.uppercased() + "0"] == nil)
        #expect(bench.gallery.clients[""] == nil)
    }
}

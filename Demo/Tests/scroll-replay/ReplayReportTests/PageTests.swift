import DeferredLoading
import Foundation
import IdleLoop
import Laboratory
import LullTesting
import ReplayText
import ScrollModel
import ShippedTraces
import Testing

@testable import ReplayReport

struct PageTests {
    @Test(arguments: [0, 2])
    func `the numbers in the page are the log's`(lanes: Int) throws {
        let log = try Played.log("chromium-fling-flywheel-4", "everything", setting: .latency) {
            $0.lanes = lanes
        }
        let page = try PageReader(Report([log]).html)
        let run = try #require(page.runs(ofTrace: 0).first)

        var number = 0
        var due = 0
        var offset = 0
        var first = 0
        var queued = 0
        let frames = PageReader.groups(run["frames"], of: 9)
        #expect(frames.count == log.frames.count)
        for (packed, frame) in zip(frames, log.frames) {
            number += packed[0]
            due += packed[1]
            offset += packed[5]
            first += packed[6]
            queued += packed[8]
            #expect(number == frame.number)
            #expect(due == microseconds(frame.due))
            #expect(due + packed[2] == microseconds(frame.start))
            #expect(due + packed[2] + packed[3] == microseconds(frame.end))
            #expect((packed[4] < 0) == frame.isLate)
            #expect(offset == tenths(frame.offset))
            #expect(first..<first + packed[7] == frame.visible.bounds)
            #expect(queued == frame.queued)
        }

        var row = 0
        var end = 0
        let slices = PageReader.groups(run["slices"], of: 3)
        #expect(slices.count == log.slices.count)
        for (packed, slice) in zip(slices, log.slices) {
            row += packed[0]
            let start = end + packed[1]
            end = start + packed[2]
            #expect(row == slice.row)
            #expect(start == microseconds(slice.start))
            #expect(end == microseconds(slice.end))
        }

        var time = 0
        let inputs = PageReader.groups(run["inputs"], of: 4)
        #expect(inputs.count == log.inputs.count)
        for (packed, input) in zip(inputs, log.inputs) {
            time += packed[0]
            #expect(time == microseconds(input.time))
            #expect(time + packed[2] == microseconds(input.start))
        }
        #expect(
            PageReader.groups(run["targets"], of: 2).map { $0[1] }
                == log.predictions.map { tenths($0.target) })
    }

    @Test func `every decision is in its row's story, with its time and its reason`() throws {
        var options = ReplayOptions()
        options.isWarm = false
        let log = try Played.log(
            of: Trace(name: "still", events: [], samples: []),
            in: Viewport(rows: try RowHeights(count: 100, height: 80), height: 800),
            Told(words: "row"), work: Failing(words: "broken"), options: options)
        let page = try PageReader(Report([log]).html)
        let run = try #require(page.runs(ofTrace: 0).first)
        let stories = page.stories(of: run)
        #expect(Set(log.decisions.map(\.key)) == Set(stories.keys))
        for (row, lines) in stories {
            let decisions = log.decisions.filter { $0.key == row }
            #expect(lines.count == decisions.count)
            #expect(lines.last?.time == decisions.last.map { microseconds($0.time) })
        }
        // On screen from the first frame, so wanted, begun and failed, each with its reason.
        #expect(stories[3]?.map(\.kind) == ["wanted", "begun", "failed"])
        #expect(stories[3]?.map(\.reason) == ["row 3", "", "broken"])
        #expect(stories[4]?.map(\.kind) == ["wanted", "begun", "loaded"])
        #expect(stories[4]?.map(\.facts) == ["visible, rank 4", "", "cost 1.00 ms"])
    }

    @Test func `a story's lines are those of the account, whose steps are all decisions`() throws {
        let log = try Played.log("chromium-fling-flywheel-4", "everything", setting: .heavy)
        let account = RunAccount(log)
        let page = try PageReader(Report([log]).html)
        let stories = page.stories(of: try #require(page.runs(ofTrace: 0).first))
        #expect(stories.count == account.stories.count)
        var steps = 0
        for (row, lines) in account.stories {
            steps += lines.reduce(0) { $0 + $1.stepCount }
            #expect(
                stories[row]
                    == lines.map {
                        .init(
                            kind: $0.kind.rawValue, time: microseconds($0.time), facts: $0.facts,
                            reason: $0.reason ?? "")
                    })
        }
        #expect(steps == log.decisions.count)
    }

    @Test func `nothing that a name or a reason says gets out of its place`() throws {
        let evil =
            "</script><script>alert(1)</script>\"'&<!--\u{0}\u{7}\r\n\u{202E}\u{2028}<\u{301}b"
        var log = try Played.log(
            of: Trace(name: evil, events: [], samples: []),
            in: Viewport(rows: try RowHeights(count: 50, height: 80), height: 800),
            Told(words: evil), work: Failing(words: evil))
        log.title.policy = evil
        log.title.setting = evil
        var facts = Report.Facts()
        facts.title = evil
        facts.verdict = evil
        facts.command = evil
        facts.version = evil
        let report = Report([log, log], facts: facts)
        let page = try PageReader(report.html)
        let scripts = report.html.components(separatedBy: "<script").count - 1
        #expect(scripts == 2)
        #expect(report.html.components(separatedBy: "</script").count - 1 == 2)
        #expect(!report.html.contains("alert(1)</script>"))
        #expect(!report.html.contains("<!--"))
        for scalar: Unicode.Scalar in ["\0", "\u{7}", "\r", "\u{202E}", "\u{2028}"] {
            #expect(!report.html.unicodeScalars.contains(scalar))
        }
        #expect(page.texts.contains { $0.hasPrefix("</script><script>") })
        let trace = try JSONSerialization.jsonObject(with: Data(report.chromeTrace.utf8))
        #expect(trace is [String: Any])
    }

    @Test func `the page asks for nothing from anywhere`() throws {
        let html = Report([try Played.log("chromium-fling-down-1600")]).html
        #expect(!html.contains("http:") && !html.contains("https:"))
        for word in ["src=", "href=", "@import", "url(", "fetch(", "XMLHttpRequest"] {
            #expect(!html.contains(word), "\(word)")
        }
        #expect(html.contains("default-src 'none'"))
    }

    @Test func `the report of twenty-one traces in three ways is less than two megabytes`() throws {
        let logs = Shipped.names.flatMap { Played.logs($0) }
        var facts = Report.Facts()
        facts.verdict = "A sentence on what came out."
        facts.command = "scroll-replay compare Demo/traces/*.jsonl"
        let html = Report(logs, facts: facts).html
        #expect(Shipped.names.count == 21)
        #expect(html.utf8.count < 2_000_000)
        let page = try PageReader(html)
        #expect(page.traces.count == 21)
        #expect(page.runs(ofTrace: 0).count == 3)
        Attachment.record(html, named: "report.html")
    }

    @Test func `the same replay gives the same bytes`() throws {
        let once = Report([try Played.log("chromium-fling-train-read", "everything")])
        let again = Report([try Played.log("chromium-fling-train-read", "everything")])
        #expect(once.html == again.html)
        #expect(once.chromeTrace == again.chromeTrace)
    }

    @Test func `a hundred thousand low rows and a report of nothing are pages too`() throws {
        let rows = try RowHeights(count: 100_000, height: 4)
        let log = try Played.log(
            "chromium-fling-flywheel-4", "everything", setting: .light, rows: rows)
        let report = Report([log])
        #expect(report.html.utf8.count < 1_100_000)
        #expect(try PageReader(Report([]).html).traces.isEmpty)
    }

    @Test func `two traces of one name stay apart`() throws {
        let log = try Played.log("chromium-fling-down-1600")
        let report = Report([log, log])
        #expect(try PageReader(report.html).traces.count == 2)
    }
}

/// Wants what is on screen, and says so.
private struct Told: LoadingPolicy {
    let words: String
    var rows = ListRule.visible

    mutating func wanted(
        after moment: ScrollState, loads: any LoadStatus
    ) -> [Wanted<Int>]? {
        rows.wanted(after: moment, loads: loads)
    }

    func explanation(ofRow row: Int) -> String? { "\(words) \(row)" }
}

/// Rows of which every other one can't be loaded.
private struct Failing: RowWork {
    let words: String

    func begin(row: Int) throws -> any RowLoad {
        TimedLoad(
            cost: .milliseconds(1),
            outcome: row.isMultiple(of: 2) ? .success(true) : .failure(Broken(words: words)))
    }
}

private struct Broken: Error, CustomStringConvertible {
    let words: String
    var description: String { words }
}

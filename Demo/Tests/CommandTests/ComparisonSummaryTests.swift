import LullTesting
import Testing

@testable import scroll_replay

struct ComparisonSummaryTests {
    private func entry(
        _ policy: String, _ engine: String = "E6", blank: Double, waste: Double = 0.4,
        loads: Int = 100, late: Int = 0
    ) -> ComparisonSummary.Entry {
        var figures = Figures()
        figures.blankMoving = .seconds(blank)
        figures.loadCost = .microseconds(1)
        figures.wastedCost = .nanoseconds(Int64(waste * 1000))
        figures.loadsFinished = loads
        figures.framesLate = late
        figures.framesDropped = late + 1
        return .init(policy: policy, engine: engine, figures: figures)
    }

    @Test func `the least blank is told against the next and against visible`() {
        let summary = ComparisonSummary(of: [
            entry("visible", blank: 24, waste: 0.2), entry("p11", blank: 5.4),
            entry("value", blank: 3.2),
        ])
        #expect(
            summary.sentences == [
                "value blanks least: 3.200 row·s, 41 % less than p11 (5.400) and 87 % less than "
                    + "visible (24.000), at 40 % waste; no frame is late."
            ])
    }

    @Test func `what within3 saves and costs is told beside it`() {
        let summary = ComparisonSummary(of: [
            entry("visible", blank: 2, waste: 0.2),
            entry("within3", blank: 6, waste: 0.1, loads: 80),
        ])
        #expect(
            summary.sentences == [
                "visible blanks least: 2.000 row·s, 67 % less than within3 (6.000), at 20 % waste; "
                    + "no frame is late.",
                "within3 loads 20 % less than visible (80 for 100), wastes 10 % for 20 % and "
                    + "blanks 3.0 × as much.",
            ])
    }

    @Test func `where visible blanks nothing there's no factor`() {
        let summary = ComparisonSummary(of: [
            entry("visible", blank: 0), entry("within3", blank: 1),
        ])
        #expect(
            summary.sentences.last
                == "within3 loads as much as visible (100), wastes as much and blanks 1.000 row·s, "
                + "where visible blanks nothing.")
    }

    @Test func `the winner who makes frames late doesn't hide the best who doesn't`() {
        let summary = ComparisonSummary(of: [
            entry("visible", "E5", blank: 0, late: 7), entry("visible", blank: 4),
            entry("value", blank: 2),
        ])
        #expect(
            summary.sentences == [
                "visible/E5 blanks nothing, where value/E6 blanks 2.000 row·s, at 40 % waste; "
                    + "7 frames are late, 8 dropped.",
                "Of those that make no frame late, value/E6 blanks least: 2.000 row·s, 50 % less "
                    + "than visible/E6 (4.000), at 40 % waste.",
            ])
        let alone = ComparisonSummary(of: [
            entry("visible", "E5", blank: 0, late: 1), entry("visible", blank: 4),
        ])
        #expect(
            alone.sentences.last
                == "Only visible/E6 makes no frame late: it blanks 4.000 row·s at 40 % waste.")
    }

    @Test func `equals are named together, the one that wastes least among them`() {
        let summary = ComparisonSummary(of: [
            entry("a", blank: 1, waste: 0.5), entry("b", blank: 1, waste: 0.3),
            entry("c", blank: 2),
        ])
        #expect(
            summary.sentences == [
                "b and a blank least, 1.000 row·s; of these b wastes least, 30 %; no frame is late."
            ])
        #expect(
            ComparisonSummary(of: [entry("a", blank: 0), entry("b", blank: 0)]).sentences == [
                "a and b blank nothing; of these a wastes least, 40 %; no frame is late."
            ])
        #expect(
            ComparisonSummary(of: [entry("a", blank: 1), entry("b", blank: 1, waste: 0.2)])
                .sentences == [
                    "b and a blank the same, 1.000 row·s; of these b wastes least, 20 %; no frame is "
                        + "late."
                ])
    }

    @Test func `who knows the trace is no winner`() {
        let summary = ComparisonSummary(of: [
            entry("oracle", blank: 1), entry("a", blank: 2), entry("b", blank: 4),
        ])
        #expect(
            summary.sentences == [
                "a blanks least: 2.000 row·s, 50 % less than b (4.000), at 40 % waste; no frame "
                    + "is late.",
                "oracle, which knows the trace, blanks 1.000 row·s.",
            ])
        #expect(ComparisonSummary(of: [entry("oracle", blank: 1)]).sentences.count == 1)
    }

    @Test func `one way is told by itself, and none not at all`() {
        #expect(
            ComparisonSummary(of: [entry("a", blank: 1, late: 1)]).sentences == [
                "a blanks 1.000 row·s at 40 % waste; 1 frame is late, 2 dropped."
            ])
        #expect(ComparisonSummary(of: []).sentences.isEmpty)
    }
}

import ReplayTerminal
import Testing

struct FailConditionTests {
    private let members: [String: Double] = [
        "frames_dropped": 6, "frames_late": 0, "blank_ns": 3_700_000_000, "waste_share": 0.42,
        "settle_p95_ns": 50_000_000, "input_delay_p99_ns": 2_400_000, "hitch_ms_per_s": 7.8,
        "settle_never": 0, "loads_failed": 1, "load_cost_ns": 156_294_011,
    ]

    private func isMet(_ text: String) throws -> Bool {
        try FailCondition(text).findings { members[$0] } != nil
    }

    @Test(arguments: [
        "dropped>0", "dropped >= 6", "dropped<7", "dropped <= 6", "dropped==6", "dropped != 5",
        "frames_dropped > 5", "blank>3.6", "blank == 3.7", "blank_ms > 3699", "blank > 3600ms",
        "blank_ns == 3700000000", "waste > 0.4", "waste>40%", "waste_share < 43 %",
        "settle_p95 == 50", "settle_p95_ms>=50", "settle_p95 >= 0.05s", "settle_p95 > 49999us",
        "input_p99 > 2.3", "input_p99_ms > 2.3", "input_delay_p99_ns > 2300000", "hitch > 7",
        "input_p99 > 2300µs", "load_cost_ms > 156", "never > -1", "failed != 0",
    ])
    func `a comparison that holds is met`(text: String) throws {
        #expect(try isMet(text))
    }

    @Test(arguments: [
        "dropped>6", "late>0", "blank > 3.7", "waste > 42%", "settle_p95 != 50", "never>0",
        "hitch<7.8", "wakeups >= 0",
    ])
    func `one that doesn't hold, or is about what there isn't, is not`(text: String) throws {
        #expect(try !isMet(text))
    }

    @Test(arguments: [
        ("dropped>0 and late>0", false), ("dropped>0 or late>0", true),
        ("late>0, dropped>0", true), ("late>0, never>0", false),
        ("dropped>0 or late>0 and never>0", true), ("(dropped>0 or late>0) and never>0", false),
        ("late>0 and never>0 or dropped>0", true), ("dropped>0 AND failed>0", true),
        ("((dropped > 0))", true),
    ])
    func `and binds closer than or, and parentheses group`(text: String, expected: Bool) throws {
        #expect(try isMet(text) == expected)
    }

    @Test func `what is met names the figures that did it, in their units`() throws {
        let condition = try FailCondition("dropped>0 and waste>40% or late>0, blank>3.5")
        #expect(
            condition.findings { members[$0] } == [
                "dropped is 6 (> 0)", "waste is 0.42 (> 0.4)", "blank is 3.7 row·s (> 3.5)",
            ])
    }

    @Test(arguments: [
        ("", 0, "expected the name of a figure"), ("dropped", 7, "expected one of > >= < <= == !="),
        ("dropped >", 9, "expected a number"), ("dropped > x", 10, "expected a number"),
        ("droped>0", 0, "no figure is called 'droped'"),
        ("late>0 & dropped>0", 7, "expected 'and', 'or' or the end, and found '&'"),
        ("late>0 or", 9, "expected the name of a figure"),
        ("(late>0", 7, "expected ')'"), ("late>3ms", 6, "'ms' is no unit of late"),
        ("blank>3%", 7, "'%' is no unit of blank"), ("late>1.2.3", 5, "expected a number"),
        ("late>0)", 6, "expected 'and', 'or' or the end, and found ')'"),
    ])
    func `what isn't a condition is told with its place`(
        text: String, place: Int, reason: String
    ) {
        #expect {
            try FailCondition(text)
        } throws: { error in
            error as? FailConditionError
                == FailConditionError(reason: reason, text: text, place: place)
        }
    }

    @Test func `the caret stands under the place`() throws {
        let error = #expect(throws: FailConditionError.self) { try FailCondition("late>0 or x<1") }
        #expect(
            error?.description == """
                no figure is called 'x'
                  late>0 or x<1
                            ^
                """)
    }

    @Test func `parentheses don't nest without end`() {
        let deep = String(repeating: "(", count: 100_000) + "late>0"
        #expect(throws: FailConditionError.self) { try FailCondition(deep) }
    }
}

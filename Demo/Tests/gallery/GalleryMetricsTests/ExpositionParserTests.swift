import Testing

/// That the checker of texts sees what is wrong with them.
struct ExpositionParserTests {
    @Test func `a text as it should be is read`() throws {
        let text = #"""
            # HELP a_total Back\\slash, new\nline, "quotes".
            # TYPE a_total counter
            a_total{x="1,}",y="\"\\\n"} 2
            a_total 1.5e-07
            # TYPE b gauge
            b -Inf
            # TYPE c histogram
            c_bucket{le="0.5"} 1
            c_bucket{le="+Inf"} 3
            c_sum 9
            c_count 3

            """#
        let exposition = try ExpositionParser.parse(text)
        #expect(exposition.families.map(\.name) == ["a_total", "b", "c"])
        #expect(exposition["a_total"]?.help == "Back\\slash, new\nline, \"quotes\".")
        #expect(exposition.value("a_total", ["x": "1,}", "y": "\"\\\n"]) == 2)
        #expect(exposition.value("a_total") == 1.5e-07)
        #expect(exposition.value("b") == -.infinity)
        #expect(exposition.value("c_bucket", ["le": "+Inf"]) == 3)
        #expect(try ExpositionParser.parse("").families.isEmpty)
    }

    @Test(arguments: [
        ("a 1", ExpositionError.noNewlineAtEnd),
        ("a 1\n", .line(1, .noType)),
        ("\n", .line(1, .badValue)),
        ("# note\n", .line(1, .badComment)),
        ("#TYPE a gauge\n", .line(1, .badComment)),
        ("# TYPE a\n", .line(1, .badComment)),
        ("# TYPE a  gauge\n", .line(1, .unknownKind)),
        ("# TYPE a set\n", .line(1, .unknownKind)),
        ("# TYPE 1a gauge\n", .line(1, .badName)),
        ("# TYPE ä gauge\n", .line(1, .badName)),
        ("# HELP a b\n", .line(1, .noType)),
        ("# HELP a b\n# TYPE c gauge\nc 1\n", .line(2, .noType)),
        ("# HELP a b\n# HELP a b\n", .line(2, .noType)),
        ("# HELP a \\t\n", .line(1, .badEscape)),
        ("# HELP a \\\"\n", .line(1, .badEscape)),
        ("# TYPE a gauge\na 1\n# TYPE a gauge\na 1\n", .line(3, .familyTwice)),
        ("# TYPE a gauge\na 1\n# HELP a b\n", .line(3, .familyTwice)),
        ("# TYPE a gauge\n", .family("a", .noSamples)),
        ("# TYPE a gauge\nb 1\n", .line(2, .foreignSample)),
        ("# TYPE a gauge\na_sum 1\n", .line(2, .foreignSample)),
        ("# TYPE a gauge\na 1\na 2\n", .line(3, .sampleTwice)),
        (
            "# TYPE a gauge\na{x=\"1\",y=\"2\"} 1\na{y=\"2\",x=\"1\"} 1\n",
            .line(3, .sampleTwice)
        ),
        ("# TYPE a gauge\na  1\n", .line(2, .badName)),
        ("# TYPE a gauge\na 1 \n", .line(2, .badValue)),
        ("# TYPE a gauge\na\n", .line(2, .badValue)),
        ("# TYPE a gauge\na 0x1\n", .line(2, .badValue)),
        ("# TYPE a gauge\na inf\n", .line(2, .badValue)),
        ("# TYPE a gauge\na nan\n", .line(2, .badValue)),
        ("# TYPE a gauge\na 1 1395066363000\n", .line(2, .badName)),
        ("# TYPE a gauge\na{} 1\n", .line(2, .badLabels)),
        ("# TYPE a gauge\na{x=1} 1\n", .line(2, .badLabels)),
        ("# TYPE a gauge\na{x=\"1} 1\n", .line(2, .badLabels)),
        ("# TYPE a gauge\na{x=\"1\\\"} 1\n", .line(2, .badLabels)),
        ("# TYPE a gauge\na{x=\"1\"\"} 1\n", .line(2, .badLabels)),
        ("# TYPE a gauge\na{x=\"1\",} 1\n", .line(2, .badLabels)),
        ("# TYPE a gauge\na{x=\"1\" 1\n", .line(2, .badLabels)),
        ("# TYPE a gauge\na{x=\"1\",x=\"2\"} 1\n", .line(2, .badLabels)),
        ("# TYPE a gauge\na{x:y=\"1\"} 1\n", .line(2, .badName)),
        ("# TYPE a gauge\na{__x=\"1\"} 1\n", .line(2, .badName)),
        ("# TYPE a gauge\na{x=\"\\t\"} 1\n", .line(2, .badEscape)),
        ("# TYPE a gauge\na{x=\"1\n\"} 1\n", .line(2, .badValue)),
        ("# TYPE a counter\na 1\n", .family("a", .counterName)),
        ("# TYPE a_total counter\na_total -1\n", .family("a_total", .counterFalls)),
        ("# TYPE a_total counter\na_total NaN\n", .family("a_total", .counterFalls)),
        ("# TYPE h histogram\nh 1\n", .line(2, .foreignSample)),
    ])
    func `a text that isn't as it should be is refused`(
        text: String, error: ExpositionError
    ) {
        #expect(throws: error) { try ExpositionParser.parse(text) }
    }

    @Test(arguments: [
        (["b 1 1", "b +Inf 1", "sum 1"], ExpositionError.Fault.missingSumOrCount),
        (["b 1 1", "b +Inf 1", "count 1"], .missingSumOrCount),
        (["b 1 1", "b +Inf 1", "count 1", "sum 1"], .missingSumOrCount),
        (["b 1 1", "sum 1", "count 1"], .noLastBucket),
        (["sum 1", "count 1"], .noLastBucket),
        (["b +Inf 1", "b 1 1", "sum 1", "count 1"], .bucketsOutOfOrder),
        (["b x 1", "b +Inf 1", "sum 1", "count 1"], .bucketsOutOfOrder),
        (["b 1 2", "b +Inf 1", "sum 1", "count 1"], .bucketsFall),
        (["b 1 -1", "b +Inf 1", "sum 1", "count 1"], .bucketsFall),
        (["b 1 1", "b +Inf 2", "sum 1", "count 1"], .countDiffers),
    ])
    func `a histogram that makes no sense is refused`(
        lines: [String], fault: ExpositionError.Fault
    ) {
        let text = lines.map { line in
            let parts = line.split(separator: " ")
            guard parts.count == 3 else { return "h_\(line)\n" }
            return "h_bucket{le=\"\(parts[1])\"} \(parts[2])\n"
        }
        #expect(throws: ExpositionError.family("h", fault)) {
            try ExpositionParser.parse("# TYPE h histogram\n" + text.joined())
        }
    }
}

import Foundation
import TestSupport
import Testing

struct ShowTests {
    private static let trace = Command.trace("fling-flywheel-4")

    @Test func `a trace is shown without colours where there's no terminal`() throws {
        let command = try Command("scroll-replay", ["show", ShowTests.trace])
        #expect(command.status == 0)
        #expect(!command.output.contains("\u{1B}"))
        #expect(command.output.contains("4 strokes, 52 finger samples at 120 Hz"))
        for line in command.output.split(separator: "\n") { #expect(line.count <= 80) }
    }

    @Test func `its width and its colours can be asked for`() throws {
        let wide = try Command("scroll-replay", ["show", ShowTests.trace, "--size", "200x50"])
        #expect(wide.output.split(separator: "\n").map(\.count).max() == 200)
        let coloured = try Command(
            "scroll-replay", ["show", ShowTests.trace, "--color", "always"])
        #expect(coloured.output.contains("\u{1B}["))
        let never = try Command(
            "scroll-replay", ["show", ShowTests.trace, "--color", "never"],
            limits: "export CLICOLOR_FORCE=1")
        #expect(!never.output.contains("\u{1B}"))
        let forced = try Command(
            "scroll-replay", ["show", ShowTests.trace],
            limits: "unset NO_COLOR; export CLICOLOR_FORCE=1")
        #expect(forced.output == coloured.output)
        let no = try Command(
            "scroll-replay", ["show", ShowTests.trace],
            limits: "export CLICOLOR_FORCE=1 NO_COLOR=1")
        #expect(no.output == never.output)
    }

    @Test func `the live screen needs a terminal, or a moment to print`() throws {
        let none = try Command("scroll-replay", ["live", ShowTests.trace])
        #expect(none.status == 64)
        #expect(none.output.isEmpty)
        #expect(none.errors.contains("live needs a terminal"))
        let arguments = ["live", ShowTests.trace, "--at", "0.5", "--at", "1.5", "--size", "90x25"]
        let first = try Command("scroll-replay", arguments)
        let second = try Command("scroll-replay", arguments)
        #expect(first.status == 0)
        #expect(first.output == second.output)
        let lines = first.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 2 * 25 + 1)
        #expect(lines.allSatisfy { $0.count <= 90 })
        #expect(lines[0].contains("0.50 of "))
        #expect(lines[25].contains("1.50 of "))
    }

    @Test func `so many screens are printed evenly from start to end`() throws {
        let command = try Command(
            "scroll-replay", ["live", ShowTests.trace, "--frames", "3", "--size", "80x24"])
        let titles = command.output.split(separator: "\n").filter { $0.contains("within3/E6") }
        #expect(titles.count == 3)
        #expect(titles.last?.contains("■ over") == true)
    }

    @Test func `wrong options of the screens are told`() throws {
        for wrong in [
            ["--speed", "0"], ["--at", "-1"], ["--frames", "0"], ["--size", "80"],
            ["--clock", "real"], ["--color", "blue"],
        ] {
            let command = try Command("scroll-replay", ["live", ShowTests.trace] + wrong)
            #expect(command.status == 64, "\(wrong)")
        }
    }
}

import Foundation
import TestSupport
import Testing

struct ReadmeTests {
    private let readme =
        (try? String(
            contentsOf: Command.project.appending(path: "README.md"), encoding: .utf8)) ?? ""

    @Test func `the program in the README is the one that is built`() throws {
        let program = try String(
            contentsOf: Command.project.appending(path: "Tests/Programs/readme-program/main.swift"),
            encoding: .utf8)
        #expect(readme.contains("```swift\n\(program)```"))
        #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 29)
    }

    /// On a slow machine, rows may have left the view before they are loaded.
    @Test func `it loads all rows in view at rest, and prints none that the README doesn't name`()
        throws
    {
        let command = try Command("readme-program", [])
        #expect(command.status == 0)
        let printed = Set(command.output.split(separator: "\n"))
        let named = readme.split(separator: "\n").filter { $0.hasPrefix("row ") }
        #expect(named.count == 9)
        #expect(printed.isSuperset(of: named.suffix(6)) && printed.isSubset(of: named))
    }
}

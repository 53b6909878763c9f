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
        #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 26)
    }

    @Test func `it prints what the README says it prints`() throws {
        let command = try Command("readme-program", [])
        #expect(command.status == 0)
        #expect(readme.contains("```\n\(command.output)```"))
        #expect(command.output.contains("row 20 is there"))
    }
}

import SourceChecks
import Testing

/// What the README and doc comments show.
struct ExampleTests {
    private static let sources = Project.files(
        in: ["Sources", "Tests/Support/TestSupport"], ending: ".swift")

    @Test func `every example in Swift compiles`() throws {
        let (count, errors) = try Example.errors(
            inSwiftOf: ["README.md"] + Self.sources, contexts: ["Tests/Source/Context.swift"],
            package: "")
        #expect(count > 100)
        for error in errors { Issue.record("\(error)") }
    }

    @Test func `every example in C compiles`() throws {
        #expect(
            try Example.errors(inCOf: ["README.md"], context: "Tests/Source/context.h") == [])
    }

    @Test func `code in a doc comment is fenced and says its language`() throws {
        #expect(try Example.unfenced(in: Self.sources) == [])
    }
}

import SourceChecks
import Testing

/// The examples in the demos' pages and doc comments.
struct ExampleTests {
    private static let sources = Project.files(in: ["Demo"], ending: ".swift")
        .filter { !$0.hasPrefix("Demo/Tests/") }

    @Test func `every example in Swift compiles`() throws {
        let pages = Project.files(in: ["Demo"], ending: ".md")
        let (count, errors) = try Example.errors(
            inSwiftOf: pages + Self.sources,
            contexts: ["Tests/Source/Context.swift", "Demo/Tests/Source/DemoContext.swift"],
            package: "Demo")
        #expect(count > 10)
        for error in errors { Issue.record("\(error)") }
    }

    @Test func `every example in C compiles`() throws {
        let pages = Project.files(in: ["Demo"], ending: ".md")
        #expect(try Example.errors(inCOf: pages, context: "Tests/Source/context.h") == [])
    }

    @Test func `code in a doc comment is fenced and says its language`() throws {
        #expect(try Example.unfenced(in: Self.sources) == [])
    }
}

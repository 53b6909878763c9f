import SourceChecks
import Testing

/// The examples of the README, the documentation catalogues and doc comments.
struct ExampleTests {
    private static let pages = ["README.md"] + Project.files(in: ["Sources"], ending: ".md")
    private static let sources = Project.files(
        in: ["Sources", "Tests/Support/TestSupport"], ending: ".swift")
    /// Examples that need other packages: the tests of those adapters compile them.
    private static let adapters =
        ["/LoopNIO/", "/RunningAService.md"]
        + ["Lifecycle", "Logging", "Metrics"].map { "Service/Loop\($0)/" }

    @Test func `every example in Swift compiles`() throws {
        let (count, errors) = try Example.errors(
            inSwiftOf: (Self.pages + Self.sources).filter { file in
                !Self.adapters.contains { file.contains($0) }
            },
            contexts: ["Tests/Source/Context.swift"], package: "")
        #expect(count > 100)
        for error in errors { Issue.record("\(error)") }
    }

    @Test func `the README's programs need only what is public`() throws {
        let (count, errors) = try Example.errors(
            inSwiftOf: ["README.md"], contexts: [], package: "Demo")
        #expect(count > 2)
        #expect(errors == [])
    }

    @Test func `every example in C compiles`() throws {
        #expect(
            try Example.errors(inCOf: Self.pages, context: "Tests/Source/context.h") == [])
    }

    @Test func `code in a doc comment is fenced and says its language`() throws {
        #expect(try Example.unfenced(in: Self.sources) == [])
    }

    @Test func `each library product has a catalogue with an example`() throws {
        let manifest = try Project.lines(of: "Package.swift")
        let start = try #require(manifest.firstIndex { $0.hasPrefix("let libraries = ") })
        let names = manifest[(start + 1)...].prefix { !$0.contains("\"\"\"") }
            .flatMap { $0.split(separator: " ") }
        #expect(names.count > 15)
        for name in names where name != "CLullLibevent" {  // it's libevent's own header
            let page = Project.files(in: ["Sources"], ending: "/\(name).docc/\(name).md").first
            let examples = try page.map(Example.all(in:)) ?? []
            #expect(examples.contains { $0.language == "swift" }, "\(name)")
        }
    }
}

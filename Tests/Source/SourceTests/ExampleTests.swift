import SourceChecks
import Testing

/// The examples of the README, the documentation catalogues and doc comments.
struct ExampleTests {
    private static let pages = ["README.md"] + Project.files(in: ["Sources"], ending: ".md")
    private static let sources = Project.files(
        in: ["Sources", "Tests/Support/TestSupport"], ending: ".swift")
    /// Examples that need other packages: the tests of those adapters compile them.
    private static let adapters =
        ["/LoopGTK4/", "/LoopNIO/", "/RunningAService.md"]
        + ["Lifecycle", "Logging", "Metrics"].map { "Service/Loop\($0)/" }

    /// Whether a file in Swift declares something public, which its examples are then about.
    private static func isPublic(_ file: String) throws -> Bool {
        try Project.lines(of: file).contains { line in
            let text = line.drop { $0 == " " }
            return text.hasPrefix("public ") && !text.hasPrefix("public import")
        }
    }

    @Test func `every example in Swift compiles, and those of what is public need nothing else`()
        throws
    {
        let files = (Self.pages + Self.sources).filter { file in
            !Self.adapters.contains { file.contains($0) }
        }
        let isShown = try files.map { try $0.hasSuffix(".md") || Self.isPublic($0) }
        func select(_ isIn: Bool) -> [String] { zip(files, isShown).filter { $1 == isIn }.map(\.0) }
        let context = "Tests/Source/Context.swift"
        let shown = try Example.errors(
            inSwiftOf: select(true), contexts: [context], package: "Demo")
        let inner = try Example.errors(
            inSwiftOf: select(false), contexts: [context, "Tests/Source/InternalContext.swift"],
            package: "")
        #expect(shown.count > 100 && inner.count > 5)
        for error in shown.errors + inner.errors { Issue.record("\(error)") }
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

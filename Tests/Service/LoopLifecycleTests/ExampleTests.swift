#if Lifecycle && Metrics
import SourceChecks
import Testing

/// The examples that need swift-log, swift-metrics and swift-service-lifecycle.
struct ExampleTests {
    @Test func `every example in Swift compiles`() throws {
        let folders = ["Lifecycle", "Logging", "Metrics"].map { "Sources/Service/Loop\($0)" }
        let files = [".md", ".swift"].flatMap { Project.files(in: folders, ending: $0) }
        let (count, errors) = try Example.errors(
            inSwiftOf: files + ["Sources/Core/Lull/Lull.docc/RunningAService.md"],
            contexts: ["Tests/Source/Context.swift", "Tests/Source/AdapterContext.swift"],
            package: "")
        #expect(count > 3)
        for error in errors { Issue.record("\(error)") }
    }
}
#endif

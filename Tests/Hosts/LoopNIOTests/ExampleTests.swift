#if NIO
import SourceChecks
import Testing

/// The example on the module's page.
struct ExampleTests {
    @Test func `every example in Swift compiles`() throws {
        let (count, errors) = try Example.errors(
            inSwiftOf: ["Sources/Hosts/LoopNIO/LoopNIO.docc/LoopNIO.md"],
            contexts: ["Tests/Source/NIOContext.swift"], package: "")
        #expect(count > 1)
        for error in errors { Issue.record("\(error)") }
    }
}
#endif

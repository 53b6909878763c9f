import SourceChecks
import Testing

/// The article that lists the files on the way of an event.
struct WayTests {
    @Test func `the way through names files that exist, and few`() throws {
        let page = "Sources/Core/Lull/Lull.docc/TheWayThrough.md"
        let ways = try Project.lines(of: page).split { $0.hasPrefix("## ") }
            .map { $0.compactMap { $0.firstMatch(of: /^\d+\. `(.+?)`/)?.output.1 } }
            .filter { !$0.isEmpty }
        #expect(ways.map { $0.count <= 40 } == [true, true] && ways[1].count <= 30)
        for file in ways.joined() {
            #expect(try Project.lines(of: String(file)).count > 1, "\(file)")
        }
    }
}

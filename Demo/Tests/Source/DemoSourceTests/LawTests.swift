import SourceChecks
import Testing

struct LawTests {
    /// The folders of those that are made to be used by others, too.
    private static let modules = [
        "Demo/TerminalPictures", "Demo/scroll-replay/Laboratory", "Demo/scroll-replay/PeerPolicies",
        "Demo/scroll-replay/ReplayReport",
    ]

    @Test func `each place in a module that ends the process is in the list of laws`() throws {
        #expect(try Law.differences(between: Law.all, and: Self.modules) == [])
    }

    @Test(arguments: Law.breakable) func `an argument that makes no sense breaks its law`(
        index: Int
    ) async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [index = index as Int] in try await Law.all[index].breakIt() }
        #expect(Law.all[index].isSaid(in: result?.standardErrorContent ?? []))
    }
}

extension Law {
    /// Those that can be broken.
    static let breakable = all.indices.filter { all[$0].isBreakable }
}

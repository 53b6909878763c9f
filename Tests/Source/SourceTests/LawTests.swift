import SourceChecks
import Testing

struct LawTests {
    @Test func `each place in Sources that ends the process is in the list of laws`() throws {
        let modules = Project.folders(in: Project.folders(in: ["Sources"]))
        let differences = try Law.differences(between: Law.all, and: modules)
        #expect(differences == [])
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
    static let all = scrollModel + testing + loading + idleLoop

    /// Those that can be broken.
    static let breakable = all.indices.filter { all[$0].isBreakable }
}

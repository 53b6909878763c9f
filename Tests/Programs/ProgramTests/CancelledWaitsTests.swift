import TestSupport
import Testing

/// A hundred thousand tasks of each kind that wait on a loop and are cancelled.
///
/// Where one of them left as little as a byte behind, ninety thousand would show.
struct CancelledWaitsTests {
    /// Sanitizers have an allocator of their own, which doesn't say what is in use.
    @Test(.enabled(if: !Command.isSanitized))
    func `leave no memory behind`() throws {
        let program = try Command("loop-program", ["cancelled-waits"])
        #expect(program.errors == "")
        #expect(program.status == 0)
        let lines = program.output.split(separator: "\n").map { $0.split(separator: " ") }
        try #require(lines.count == 4 && !lines.contains { $0.count != 3 }, "\(program.output)")
        for index in stride(from: 0, to: 4, by: 2) {
            let (early, late) = (lines[index], lines[index + 1])
            #expect(early[0] == late[0] && early[1] == "10000" && late[1] == "100000")
            let grown = (Int(late[2]) ?? .max) - (Int(early[2]) ?? 0)
            #expect(grown < 32 * 1024, "\(early[0]) left \(grown) bytes behind")
        }
    }
}

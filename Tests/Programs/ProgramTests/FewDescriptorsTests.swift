import TestSupport
import Testing

/// A loop in a process that has no descriptors left, or few.
struct FewDescriptorsTests {
    @Test func `a loop that can't be made says why, and leaves nothing open`() throws {
        let command = try Command("loop-program", ["few-descriptors"])
        #expect(command.errors == "")
        #expect(command.status == 0)
        #expect(
            command.output == """
                7: a loop
                6: a loop
                5: eventfd: Too many open files (24)
                4: timerfd_create: Too many open files (24)
                3: eventfd: Too many open files (24)
                2: eventfd: Too many open files (24)
                1: eventfd: Too many open files (24)
                0: eventfd: Too many open files (24)

                """)
    }

    @Test func `nor is anything left of a guest that couldn't be made`() throws {
        let command = try Command("loop-program", ["few-descriptors-for-a-guest"])
        #expect(command.errors == "")
        #expect(command.status == 0)
        let lines = command.output.split(separator: "\n").map(String.init)
        let missing = "Too many open files (24)"
        #expect(
            lines.prefix(5) == [
                "9: a loop", "8: a loop", "7: open /proc/self/fdinfo: \(missing)",
                "6: timerfd_create: \(missing)", "5: eventfd: \(missing)",
            ])
        #expect(lines.count == 10)
        #expect(lines.dropFirst(2).allSatisfy { $0.hasSuffix(missing) })
    }

    @Test func `a loop that is there goes on and doesn't spin`() throws {
        let command = try Command("loop-program", ["no-descriptors"])
        #expect(command.errors == "")
        #expect(command.status == 0)
        #expect(
            command.output == """
                no child: pidfd_open: Too many open files (24)
                no pool: eventfd: Too many open files (24)
                20 reads, 20 results
                no spinning

                """)
    }
}

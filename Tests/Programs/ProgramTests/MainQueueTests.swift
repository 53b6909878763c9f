import TestSupport
import Testing

/// A loop that serves the main queue of a program, whose main thread runs it.
struct MainQueueTests {
    @Test func `it runs what is handed to the main queue and to the main actor`() throws {
        let command = try Command("loop-program", ["main-queue"])
        #expect(command.errors == "")
        #expect(command.status == 0)
        #expect(
            command.output == """
                first
                task
                timer
                back with 55
                the main queue is served on the main thread only
                stopped

                """)
    }
}

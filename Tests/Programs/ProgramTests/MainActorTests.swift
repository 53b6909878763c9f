import TestSupport
import Testing

/// A program whose code is isolated to the main actor by default, as in the README's package.
struct MainActorTests {
    @Test func `tasks run on the loop and in its lulls wherever they are started`() throws {
        let command = try Command("main-actor-program", [])
        #expect(command.errors == "")
        #expect(command.status == 0)
        #expect(
            command.output == """
                a task of nobody's runs
                a block of the main queue runs
                a task in main.swift runs
                a task in a function wakes
                it has a lull: true
                its slices are in lulls: true
                a sum from elsewhere: 55
                its slot is over: true
                it goes on in a lull: true
                stopped

                """)
    }
}

import TestSupport
import Testing

/// A program whose code is isolated to the main actor by default, as in the README's package.
struct MainActorTests {
    @Test func `tasks and jobs run on the loop wherever they are started`() throws {
        let command = try Command("main-actor-program", [])
        #expect(command.errors == "")
        #expect(command.status == 0)
        #expect(
            command.output == """
                a task of nobody's runs
                a block of the main queue runs
                a task in main.swift runs
                a task in a function ticks
                it has a lull: true
                a job begins in a lull: true
                its slices are in lulls: true
                a sum from elsewhere: 55
                it goes on in a lull: true
                it ends after a sleep
                1 done
                2 cancelled
                2 has no task
                3 cancelled
                stopped

                """)
    }
}

import IdleLoop
import Testing

/// What tasks cost a loop in real time, where they have no preference for its executor.
struct TaskPollTests {
    @Test func `waiting for a lull adds no poll in real time either`() throws {
        func polls(_ work: (MainLoop) -> Void) throws -> Int {
            let loop = try MainLoop()
            defer { loop.close() }
            work(loop)
            try loop.run()
            return loop.statistics.polls
        }
        let callback = try polls { loop in
            var left = 100
            loop.beforeIdle { _ in
                left -= 1
                if left == 0 { loop.stop() }
                return .worked
            }
        }
        let task = try polls { loop in
            loop.task {
                for _ in 1...100 { _ = await loop.idle() }
                loop.stop()
            }
        }
        #expect(task - callback <= 2, "those in which the task begins")
    }
}

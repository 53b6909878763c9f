import TestSupport
import Testing

/// A loop that is there twice after a fork.
///
/// It happens in a program of its own, as tests have threads, which a fork doesn't copy.
struct ForkTests {
    @Test(arguments: [
        (
            "own", "block, job, my own, read, task, task from before, timer, waiting job",
            "block, from before, job, my own, read, task, task from before, timer, waiting job"
        ),
        ("timers", "early", "late"),
        ("same-timer", "timer", "timer"),
        (
            "workers",
            "1: the work was on a worker when the process was forked, 2 done, 3 done, conserved",
            "1 done, 2 done, 3 done, conserved"
        ),
        (
            "lanes",
            "1: the work was on a worker when the process was forked, 2 done, 3 done, 4 done, "
                + "conserved",
            "1 done, 2 done, 3 done, 4 done, conserved"
        ),
        (
            "adopted", "block, job, my own, read, task, task from before, timer, waiting job",
            "block, from before, job, my own, read, task, task from before, timer, waiting job"
        ),
        (
            "polled", "block, job, my own, read, task, task from before, timer, waiting job",
            "block, from before, job, my own, read, task, task from before, timer, waiting job"
        ),
    ])
    func `neither has a part in what the other does`(
        scene: String, child: String, parent: String
    ) throws {
        #if THREAD_SANITIZER
        // It allows no new threads in the child of a process that had some.
        guard scene != "workers", scene != "lanes" else { return }
        #endif
        let command = try Command("loop-program", [scene])
        #expect(command.errors == "")
        #expect(command.status == 0)
        guard command.output != "no lanes\n" else { return }  // with one processor
        #expect(command.output == "child: \(child)\nparent: \(parent)\n")
    }
}

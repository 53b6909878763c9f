// What a package whose code is isolated to the main actor by default makes of tasks and jobs: they
// are started in `main.swift`, in functions, and by actors of others. It prints what ran, in order.
import Dispatch
import Lull

/// Something of the program's own, which is isolated to the main actor as all of it is.
final class Pages {
    var count = 0
    func add() { count += 1 }
}

@concurrent func sumElsewhere() async -> Int { (1...10).reduce(0, +) }

func inFunction(_ loop: MainLoop, _ queue: IdleQueue<String>) {
    loop.task {
        for await _ in loop.ticks(every: .milliseconds(1)) { break }
        print("a task in a function ticks")
        let slot = await loop.idle()
        print("it has a lull:", !slot.isOver)
        start(queue, loop)
    }
}

func start(_ queue: IdleQueue<String>, _ loop: MainLoop) {
    let pages = Pages()
    queue.submit("job", onEnd: { _ in close(loop) }) { (slot: TaskSlot) in
        print("a job begins in a lull:", !slot.isOver)
        var slices = 1
        while slices < 4 {
            pages.add()
            if slot.isOver { slices += 1 }
            try await slot.checkpoint()
            guard !slot.isOver else { continue }
        }
        print("its slices are in lulls:", !slot.isOver && pages.count > 4)
        print("a sum from elsewhere:", await sumElsewhere())
        try await slot.checkpoint()
        print("it goes on in a lull:", !slot.isOver)
        try await loop.taskClock.sleep(for: .milliseconds(1))
        print("it ends after a sleep")
    }
}

func close(_ loop: MainLoop) {
    // Neither has a checkpoint.
    let queue = IdleQueue<Int>(on: loop)
    var ends: [String] = []  // of three jobs, and of the task of one, in any order
    func note(_ end: String) {
        ends.append(end)
        guard ends.count == 4 else { return }
        print(ends.sorted().joined(separator: "\n"))
        loop.stop()
    }
    queue.submit(1, onEnd: { note("1 \($0)") }) { (_: TaskSlot) in }
    queue.submit(2, onEnd: { note("2 \($0)") }) { (slot: TaskSlot) in
        defer { note("2 has no task") }
        await Task.yield()
        queue.cancel(2)
        try await slot.checkpoint()
    }
    queue.submit(3, onEnd: { note("3 \($0)") }) { (_: TaskSlot) in print("never") }
    loop.schedule(after: .zero) { queue.cancel(3) }
    withExtendedLifetime(queue) {}
    kept.append(queue)
}
var kept: [IdleQueue<Int>] = []

let loop = try MainLoop()
let queue = IdleQueue<String>(on: loop)
loop.task { print("a task in main.swift runs") }
Task { print("a task of nobody's runs") }
DispatchQueue.main.async { print("a block of the main queue runs") }
inFunction(loop, queue)
try loop.run()
print("stopped")

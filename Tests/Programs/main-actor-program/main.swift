// What a package whose code is isolated to the main actor by default makes of tasks: they are
// started in `main.swift`, in functions, and by actors of others. It prints what ran, in order.
import Dispatch
import Lull

/// Something of the program's own, which is isolated to the main actor as all of it is.
final class Pages {
    var count = 0
    func add() { count += 1 }
}

@concurrent func sumElsewhere() async -> Int { (1...10).reduce(0, +) }

func inFunction(_ loop: MainLoop) {
    loop.task {
        try await loop.taskClock.sleep(for: .milliseconds(1))
        print("a task in a function wakes")
        let pages = Pages()
        var slot = await loop.idle()
        print("it has a lull:", !slot.isOver)
        var isInLull = true
        for _ in 1...3 {
            while !slot.isOver { pages.add() }
            slot = await loop.idle()
            isInLull = isInLull && !slot.isOver
        }
        print("its slices are in lulls:", isInLull && pages.count > 3)
        print("a sum from elsewhere:", await sumElsewhere())
        print("its slot is over:", slot.isOver)
        slot = await loop.idle()
        print("it goes on in a lull:", !slot.isOver)
        loop.stop()
    }
}

let loop = try MainLoop()
loop.task { print("a task in main.swift runs") }
Task { print("a task of nobody's runs") }
DispatchQueue.main.async { print("a block of the main queue runs") }
inFunction(loop)
try loop.run()
print("stopped")
